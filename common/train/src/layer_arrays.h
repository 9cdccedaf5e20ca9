// What every layer has in device memory, whatever part of it is its own: the data of some tokens,
// the workspace's arrays of tokens, the router, and some experts.
#pragma once

#include <cuda_runtime.h>

#include "device_memory.h"
#include "moe/types.h"
#include "parameters.h"
#include "task.h"

namespace train {

class LayerArrays : protected DeviceMemory {
 protected:
  // `tokens` (T below) are those of `task`; experts are those of `parameters`, beside the whole
  // router of config.E.
  LayerArrays(const MoeConfig& config, int tokens, const Task& task, const Parameters& parameters);
  ~LayerArrays();

  MoeConfig config_;  // of the whole layer
  cudaStream_t stream_ = nullptr;
  MoeParams params_{};
  MoeParams grads_{};
  MoeWorkspace workspace_{};  // without the arrays of experts' rows
  float* X_ = nullptr;        // [T,D]
  float* target_ = nullptr;   // [T,D]
  float* out_ = nullptr;      // [T,D]
  float* dOut_ = nullptr;     // [T,D]
  float* dX_ = nullptr;       // [T,D]
};

}  // namespace train
