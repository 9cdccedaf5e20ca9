// 025 gather_tokens_backward: dX[t] = sum_j dXs[slot_of_pair[t*K+j]], a thread for every element.
//
// dXs [T*K,D] and dX [T,D] are row-major float arrays, slot_of_pair [T*K] holds each of 0 .. T*K-1
// once, all in device memory. T may be 0; D and K are at least 1. dX is overwritten.
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_backward_kernel(const float* dXs, const int* slot_of_pair, float* dX,
                                              int T, int D, int K) {
  // TODO(1): the element of this thread, flat; return if there is none. Its token, its column.
  // END TODO(1)

  // TODO(2): where the slots of this token's K pairs are listed.
  // END TODO(2)

  // TODO(3): fetch the K terms into a register, then write the sum.
  // END TODO(3)
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  // TODO(4): a thread for each element of dX, in blocks of 256.
  gather_tokens_backward_kernel<<<1, 1, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
  // END TODO(4)
}
