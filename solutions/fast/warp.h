// Sums and maxima over groups of lanes, and over a block, which every thread gets; running sums.
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

// The sum over this lane and those below it. The whole warp must call.
__device__ inline int running_sum(int value) {
  const int lane = threadIdx.x % 32;
  for (int reach = 1; reach < 32; reach *= 2) {
    const int left = __shfl_up_sync(kAllLanes, value, reach);
    if (lane >= reach) value += left;
  }
  return value;
}

// How many lanes share a row of `packs`, as a power of two: enough for one each, up to a warp.
inline int log_lanes_for(int packs) {
  int log_lanes = 0;
  while (1 << log_lanes < packs && log_lanes < 5) ++log_lanes;
  return log_lanes;
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
