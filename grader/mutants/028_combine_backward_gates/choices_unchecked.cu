// mistake: missing-guard
// why: All 16 places are used, whatever K is.
// rejected-for: out_of_bounds,race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;
constexpr int kWarpsPerBlock = 8;
constexpr int kMostChoices = 16;
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum over the warp, in lane 0; you wrote this in 013.
__device__ float warp_sum(float x) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    x += __shfl_down_sync(kAllLanes, x, offset);
  }
  return x;
}

__global__ void combine_backward_gates_kernel(const float* dOut, const float* Ys,
                                              const int* slot_of_pair, float* dgates, int T, int D,
                                              int K) {
  const int lane = threadIdx.x % kWarpSize;
  const int t = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (t >= T) return;  // the whole warp

  float dots[kMostChoices] = {};  // this lane's share of each of the K sums

  int slots[kMostChoices];
#pragma unroll
  for (int j = 0; j < kMostChoices; ++j) {
    slots[j] = slot_of_pair[t * K + j];
  }

  for (int d = lane; d < D; d += kWarpSize) {
    const float gradient = dOut[t * D + d];
#pragma unroll
    for (int j = 0; j < kMostChoices; ++j) {
      if (j < K) dots[j] += gradient * Ys[slots[j] * D + d];
    }
  }

#pragma unroll
  for (int j = 0; j < kMostChoices; ++j) {
    if (j < K) {  // the same for all lanes, so that all shuffle
      const float dot = warp_sum(dots[j]);
      if (lane == 0) dgates[t * K + j] = dot;
    }
  }
}

}  // namespace

void combine_backward_gates(const float* dOut, const float* Ys, const int* slot_of_pair,
                            float* dgates, int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;

  const int blocks = (T + kWarpsPerBlock - 1) / kWarpsPerBlock;
  combine_backward_gates_kernel<<<blocks, kWarpsPerBlock * kWarpSize, 0, stream>>>(
      dOut, Ys, slot_of_pair, dgates, T, D, K);
}
