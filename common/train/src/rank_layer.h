// One rank's part of a layer that several ranks train: a slice of the tokens, a range of the
// experts, and the whole router. docs/parallel.md tells how it works.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "device_memory.h"
#include "layer.h"
#include "layer_arrays.h"
#include "moe/types.h"
#include "parallel/group.h"
#include "parallel/share.h"
#include "parallel/transport.h"
#include "parameters.h"
#include "task.h"

namespace train {

// The rank's own rows of a task, and its own experts with the whole router.
Task slice(const Task& task, const MoeConfig& config, parallel::Share tokens);
Parameters slice(const Parameters& whole, const MoeConfig& config, parallel::Share experts);

// Every member function is collective.
class RankLayer final : public Layer, LayerArrays {
 public:
  // `config` is the whole layer's; `task` and `parameters` are this rank's slices.
  RankLayer(const MoeConfig& config, const parallel::Group& group,
            std::unique_ptr<parallel::Transport> transport, const Task& task,
            const Parameters& parameters);
  RankLayer(const RankLayer&) = delete;
  RankLayer& operator=(const RankLayer&) = delete;

  std::vector<float> train(int steps, float lr) override;
  std::vector<float> load() override;
  Parameters parameters() const override;     // the whole layer's, on rank 0; on others empty
  Parameters gradients() const;               // likewise, of the last step
  std::vector<float> input_gradient() const;  // [T,D], likewise

  // The rows' way there and back, as the last step went it twice, and nothing else.
  void exchange_rows();
  void wait() const;
  // Bytes that leave this rank in exchange_rows().
  std::size_t bytes_sent() const;

 private:
  void route();
  void make_room(std::size_t rows);
  void forward();
  void backward();
  void step(float lr);
  void send_rows(float* to);            // from rows_
  void return_rows(const float* from);  // to rows_
  std::vector<float> gather(const float* mine, const std::vector<std::size_t>& counts) const;
  Parameters gather(const MoeParams& arrays) const;

  const parallel::Group& group_;
  std::unique_ptr<parallel::Transport> transport_;
  parallel::Share tokens_;  // this rank's, of all
  parallel::Share experts_;

  // This rank's tokens: T and P below are its own, E all experts.
  float* rows_ = nullptr;      // [P,D], by expert: what is sent, and what comes back
  int* all_counts_ = nullptr;  // [E], of all ranks' pairs

  // This rank's experts, and the rows that all ranks sent them.
  int* offsets_ = nullptr;    // [experts+1]
  std::size_t rows_in_ = 0;   // R: that came in the last step
  std::size_t capacity_ = 0;  // rows that the arrays below hold
  DeviceMemory incoming_;
  float* Xs_ = nullptr;   // [R,D]
  float* Z_ = nullptr;    // [R,H]
  float* A_ = nullptr;    // [R,H]
  float* Ys_ = nullptr;   // [R,D]; in the backward dYs
  float* dA_ = nullptr;   // [R,H]
  float* dZ_ = nullptr;   // [R,H]
  float* dXs_ = nullptr;  // [R,D]

  // The pieces of rows_ that go, and of the experts' arrays that come; the way back has them
  // swapped.
  std::vector<parallel::Piece> outgoing_, incoming_pieces_;
};

}  // namespace train
