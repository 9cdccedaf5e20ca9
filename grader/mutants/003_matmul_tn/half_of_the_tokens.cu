// mistake: two-owners
// why: Two threads add to an element, one the even tokens and one the odd ones.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_tn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = thread / 2;
  if (i >= M * N) return;
  const int row = i / N;
  const int col = i % N;

  // Row k of A and row k of B add one product each to every element.
  float sum = 0.0f;
  for (int k = thread % 2; k < K; k += 2) {
    sum += A[k * M + row] * B[k * N + col];
  }

  C[i] += sum;
}

}  // namespace

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  // You wrote this launch in 002. C is never empty here, so no early return is needed.
  const int elements = 2 * M * N;
  const int threads = 256;
  const int blocks = (elements + threads - 1) / threads;
  matmul_tn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
