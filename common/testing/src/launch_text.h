// A launch that CUDA refused, in words.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace testing::wrapped {

struct Refusal {
  cudaError_t error = cudaSuccess;
  dim3 grid, block;
  std::size_t shared = 0;  // bytes of dynamic shared memory
};

// Is it an error of the launch itself, rather than one that an earlier kernel left?
bool is_refusal(cudaError_t error);

// Who asked for what, and which limit of the device it passes.
std::string text_of(const Refusal& refusal);

}  // namespace testing::wrapped
