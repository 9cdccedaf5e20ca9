// mistake: copies-in-half
// why: The rows pass through 16 bits on their way: a copy must be exact.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

// The nearest float with 10 bits behind the point, as in half precision.
__device__ float half(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

__global__ void gather_tokens_kernel(const float* X, const int* pair_of_slot, float* Xs, int T,
                                     int D, int K) {
  const int slot = blockIdx.x * blockDim.y + threadIdx.y;
  if (slot >= T * K) return;

  // One index decides where the whole row comes from. The token's K pairs are neighbours: t*K + j.
  const int token = pair_of_slot[slot] / K;

  // Within the row, neighbouring threads read and write neighbours, wherever it lies.
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    Xs[slot * D + d] = half(X[token * D + d]);
  }
}

}  // namespace

void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream) {
  if (T == 0) return;

  // Blocks of 32 x 8 threads; the slots lie along the grid's x, which does not run out.
  const dim3 block(32, 8);
  const dim3 grid((T * K + block.y - 1) / block.y);
  gather_tokens_kernel<<<grid, block, 0, stream>>>(X, pair_of_slot, Xs, T, D, K);
}
