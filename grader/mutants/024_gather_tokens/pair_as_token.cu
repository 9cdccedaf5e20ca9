// mistake: pair-as-token
// why: The slot's pair is taken for the row of X: there are K times as many pairs as rows.
// rejected-for: out_of_bounds,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_kernel(const float* X, const int* pair_of_slot, float* Xs, int T,
                                     int D, int K) {
  const int slot = blockIdx.x * blockDim.y + threadIdx.y;
  if (slot >= T * K) return;

  const int token = pair_of_slot[slot];

  // Within the row, neighbouring threads read and write neighbours, wherever it lies.
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    Xs[slot * D + d] = X[token * D + d];
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
