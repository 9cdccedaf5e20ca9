// mistake: two-owners
// why: Two threads share an element, one for the even choices and one for the odd ones.
// rejected-for: race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_backward_kernel(const float* dXs, const int* slot_of_pair, float* dX,
                                              int T, int D, int K) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = thread / 2;
  if (i >= T * D) return;
  const int token = i / D;
  const int d = i % D;

  // Where the K copies of this token's row lie.
  const int* slots = slot_of_pair + token * K;

  float sum = 0.0f;
  for (int j = thread % 2; j < K; j += 2) {
    sum += dXs[slots[j] * D + d];
  }
  if (thread % 2 == 0) dX[i] = sum;
  if (thread % 2 == 1) dX[i] += sum;
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  const int threads = 256;
  const int blocks = (2 * T * D + threads - 1) / threads;
  gather_tokens_backward_kernel<<<blocks, threads, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}
