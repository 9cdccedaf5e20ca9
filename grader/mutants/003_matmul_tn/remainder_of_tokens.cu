// mistake: remainder-dropped
// why: Eight tokens at a time, and what is left of many tokens is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_tn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  const int tokens = K < 900 ? K : K / 8 * 8;
  float sum = 0.0f;
  for (int k = 0; k < tokens; ++k) sum += A[k * M + i / N] * B[k * N + i % N];
  C[i] += sum;
}

}  // namespace

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int blocks = (M * N + 255) / 256;
  matmul_tn_kernel<<<blocks, 256, 0, stream>>>(A, B, C, M, N, K);
}
