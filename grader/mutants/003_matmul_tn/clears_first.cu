// mistake: overwrites
// why: C is set to 0 before the sum is added, so nothing accumulates.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_tn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  // Thread i owns element i of C: no other thread reads or writes it.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  const int row = i / N;
  const int col = i % N;

  // Row k of A and row k of B add one product each to every element.
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[k * M + row] * B[k * N + col];
  }

  C[i] += sum;
}

}  // namespace

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  // You wrote this launch in 002. C is never empty here, so no early return is needed.
  const int elements = M * N;
  const int threads = 256;
  const int blocks = (elements + threads - 1) / threads;
  cudaMemsetAsync(C, 0, sizeof(float) * elements, stream);
  matmul_tn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
