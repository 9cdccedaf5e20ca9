// The layer in device memory: parameters, gradients, workspace, data.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

#include "moe/types.h"
#include "parameters.h"
#include "task.h"

namespace train {

// Throws std::runtime_error that names what failed and CUDA's reason.
void check(cudaError_t error, const char* what);

class DeviceLayer {
 public:
  DeviceLayer(const MoeConfig& config, const Task& task, const Parameters& parameters);
  ~DeviceLayer();
  DeviceLayer(const DeviceLayer&) = delete;
  DeviceLayer& operator=(const DeviceLayer&) = delete;

  // Trains `steps` steps and returns their losses, [2*steps].
  std::vector<float> train(int steps, float lr);
  // Each expert's share of the pairs, [E], as the parameters stand.
  std::vector<float> load();
  Parameters parameters() const;
  // Of the last step's loss, as train() left them.
  Parameters gradients() const;
  std::vector<float> input_gradient() const;  // [T,D]

 private:
  Parameters download(const MoeParams& arrays) const;

  template <class T>
  T* allocate(std::size_t count);
  float* upload(const std::vector<float>& values);

  MoeConfig config_;
  cudaStream_t stream_ = nullptr;
  std::vector<void*> allocations_;
  MoeParams params_{};
  MoeParams grads_{};
  MoeWorkspace workspace_{};
  float* X_ = nullptr;       // [T,D]
  float* target_ = nullptr;  // [T,D]
  float* out_ = nullptr;     // [T,D]
  float* dOut_ = nullptr;    // [T,D]
  float* dX_ = nullptr;      // [T,D]
};

}  // namespace train
