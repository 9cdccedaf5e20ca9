// mistake: sixteen-bits
// why: Tokens are numbered in 16 bits, so token 65,536 is taken for token 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_backward_kernel(const float* dXs, const int* slot_of_pair, float* dX,
                                              int T, int D, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= T * D) return;
  const int token = i / D;
  const int d = i % D;

  // Where the K copies of this token's row lie.
  const int* slots = slot_of_pair + (token & 65535) * K;

  // Element i has one owner. It fetches its K terms, always in the order of j, and writes once: no
  // atomics, no zeros to begin with, and the same bits in every run.
  float sum = 0.0f;
  for (int j = 0; j < K; ++j) {
    sum += dXs[slots[j] * D + d];
  }
  dX[i] = sum;
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  const int threads = 256;
  const int blocks = (T * D + threads - 1) / threads;
  gather_tokens_backward_kernel<<<blocks, threads, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}
