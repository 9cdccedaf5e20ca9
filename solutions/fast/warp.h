// Sums and maxima over groups of lanes, and over a block. What comes out, every thread gets.
#pragma once

#include <cuda_runtime.h>

namespace fast {

constexpr unsigned kAllLanes = 0xffffffffu;

// Over groups of `lanes` neighbours, a power of two up to 32. The whole warp must call.
__device__ inline float lanes_sum(float value, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(kAllLanes, value, step);
  return value;
}

__device__ inline float lanes_max(float value, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
  }
  return value;
}

// Over a block of whole warps. `shared` has a place for each of up to 32 warps. No other use of
// `shared` may be nearer than a barrier: the caller's affair.
__device__ inline float block_sum(float value, float* shared) {
  const int lane = threadIdx.x % 32;
  const int warps = (blockDim.x + 31) / 32;
  value = lanes_sum(value, 32);
  if (lane == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  return lanes_sum(lane < warps ? shared[lane] : 0.0f, 32);
}

__device__ inline float block_max(float value, float* shared) {
  const int lane = threadIdx.x % 32;
  const int warps = (blockDim.x + 31) / 32;
  value = lanes_max(value, 32);
  if (lane == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  return lanes_max(shared[lane < warps ? lane : 0], 32);
}

}  // namespace fast
