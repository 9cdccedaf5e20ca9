#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace parallel {

// Throws std::runtime_error that names what failed and CUDA's reason.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error) + " (" +
                           cudaGetErrorName(error) + ")");
}

}  // namespace parallel
