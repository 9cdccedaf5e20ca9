// mistake: tokens-on-y
// why: The grid's y ends at 65,535 blocks.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_backward_kernel(const float* dXs, const int* slot_of_pair, float* dX,
                                              int T, int D, int K) {
  const int token = blockIdx.y * blockDim.y + threadIdx.y;
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T || d >= D) return;

  // Where the K copies of this token's row lie.
  const int* slots = slot_of_pair + token * K;

  float sum = 0.0f;
  for (int j = 0; j < K; ++j) {
    sum += dXs[slots[j] * D + d];
  }
  dX[token * D + d] = sum;
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  const dim3 threads(32, 8);
  const dim3 blocks((D + 31) / 32, (T + 7) / 8);
  gather_tokens_backward_kernel<<<blocks, threads, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}
