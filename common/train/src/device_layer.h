// The layer in device memory: parameters, gradients, workspace, data.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "device_memory.h"
#include "layer.h"
#include "moe/types.h"
#include "parameters.h"
#include "task.h"

namespace train {

class DeviceLayer final : public Layer, DeviceMemory {
 public:
  DeviceLayer(const MoeConfig& config, const Task& task, const Parameters& parameters);
  ~DeviceLayer() override;
  DeviceLayer(const DeviceLayer&) = delete;
  DeviceLayer& operator=(const DeviceLayer&) = delete;

  std::vector<float> train(int steps, float lr) override;
  std::vector<float> load() override;
  Parameters parameters() const override;
  // Of the last step's loss, as train() left them.
  Parameters gradients() const;
  std::vector<float> input_gradient() const;  // [T,D]

 private:
  Parameters download(const MoeParams& arrays) const;

  MoeConfig config_;
  cudaStream_t stream_ = nullptr;
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
