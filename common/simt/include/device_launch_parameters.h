// threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once

#include "vector_types.h"

namespace simt {
// Values of the running CUDA thread; in host code they end the program with a message.
[[gnu::const]] uint3 thread_idx() noexcept;
[[gnu::const]] uint3 block_idx() noexcept;
[[gnu::const]] dim3 block_dim() noexcept;
[[gnu::const]] dim3 grid_dim() noexcept;
}  // namespace simt

#define threadIdx (::simt::thread_idx())
#define blockIdx (::simt::block_idx())
#define blockDim (::simt::block_dim())
#define gridDim (::simt::grid_dim())
inline constexpr int warpSize = 32;
