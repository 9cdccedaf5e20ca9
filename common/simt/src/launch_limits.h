// Limits of the device that make a launch fail before anything runs.
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace simt {

// Why a launch is refused: the error that CUDA gives, the limit with its numbers, and what to do.
struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string reason;  // "grid.y is 70,000, at most 65,535 are allowed"
  std::string advice;
};

Refusal refuse_configuration(const Config& config, const void* entry);
// More threads than the kernel's __launch_bounds__ says.
Refusal refuse_block(std::size_t threads, int launch_bound);
// More shared memory than the `limit` bytes of a block.
Refusal refuse_shared(std::size_t dynamic_bytes, std::size_t static_bytes, std::size_t limit);
// A grid whose blocks do not fit on the device at once, for a cooperative launch.
Refusal refuse_cooperation(std::size_t blocks, std::size_t most);

}  // namespace simt
