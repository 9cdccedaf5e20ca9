// 028 combine_backward_gates: dgates[t,j] = <dOut[t], Ys[slot(t,j)]>, a warp for each token, K dot
// products at once.
//
// dOut [T,D], Ys [P,D] and dgates [T,K] are row-major float arrays, slot_of_pair [P] is an int
// array, all in device memory; P = T*K, and pair p = t*K + j. T may be 0; D is at least 1, K 1
// to 16.
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

  // TODO(1): the slots of the token's K pairs, in an array beside `dots`.
  int slots[kMostChoices];
#pragma unroll
  for (int j = 0; j < kMostChoices; ++j) {
    slots[j] = j < K ? slot_of_pair[t * K + j] : 0;
  }
  // END TODO(1)

  // TODO(2): walk along the row, a warp's width a step. Load each element of dOut once, and use it
  // for all K sums. Unroll the loop over the sums to its bound, so that they stay in registers.
  for (int d = lane; d < D; d += kWarpSize) {
    const float gradient = dOut[t * D + d];
#pragma unroll
    for (int j = 0; j < kMostChoices; ++j) {
      if (j < K) dots[j] += gradient * Ys[slots[j] * D + d];
    }
  }
  // END TODO(2)

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
