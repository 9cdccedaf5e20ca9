// 024 gather_tokens: Xs[s] = X[pair_of_slot[s] / K], a row of threads for every slot.
//
// X [T,D] and Xs [T*K,D] are row-major float arrays, pair_of_slot [T*K] holds each of 0 .. T*K-1
// once, all in device memory. T may be 0; D and K are at least 1.
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_kernel(const float* X, const int* pair_of_slot, float* Xs, int T,
                                     int D, int K) {
  // TODO(1): the slot of this row of threads, as in 004; return if there is none.
  // END TODO(1)

  // TODO(2): the token whose row belongs into this slot: read the slot's pair, find its token.
  // END TODO(2)

  // TODO(3): walk along the row: 32 neighbours at a time, from X's row to the slot's row of Xs.
  // END TODO(3)
}

}  // namespace

void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream) {
  if (T == 0) return;

  // TODO(4): blocks of 32 x 8 threads, and along the grid's x enough of them for all slots.
  gather_tokens_kernel<<<1, 1, 0, stream>>>(X, pair_of_slot, Xs, T, D, K);
  // END TODO(4)
}
