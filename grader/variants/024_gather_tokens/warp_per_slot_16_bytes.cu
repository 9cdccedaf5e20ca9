// right: a warp a slot, lane 0's index passed on by a shuffle; 16 bytes a lane where rows allow it.
#include <cstdint>

#include "moe/kernels.h"

namespace {

__device__ bool aligned(const void* p) {
  return reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

__global__ void gather(const float* X, const int* pair_of_slot, float* Xs, int pairs, int D,
                       int K) {
  const int lane = threadIdx.x % 32;
  const int slot = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (slot >= pairs) return;
  int token = lane == 0 ? pair_of_slot[slot] / K : 0;
  token = __shfl_sync(0xffffffffu, token, 0);
  const float* from = X + token * D;
  float* to = Xs + slot * D;
  if (D % 4 == 0 && aligned(X) && aligned(Xs)) {
    for (int i = lane; i < D / 4; i += 32) {
      reinterpret_cast<float4*>(to)[i] = reinterpret_cast<const float4*>(from)[i];
    }
  } else {
    for (int d = lane; d < D; d += 32) to[d] = from[d];
  }
}

}  // namespace

void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream) {
  const int pairs = T * K;
  if (pairs == 0) return;
  gather<<<(pairs + 3) / 4, 128, 0, stream>>>(X, pair_of_slot, Xs, pairs, D, K);
}
