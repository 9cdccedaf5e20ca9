// mistake: swapped-rows
// why: Row `col` of A meets row `row` of B: the transpose of the answer.
// rejected-for: value,out_of_bounds
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_nt_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  // As in 001: thread i has element i of C, and threads without an element return.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;

  // Two rows of length K: column `col` of the transposed B is row `col` of B as it is stored.
  const int row = i / N;
  const int col = i % N;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[col * K + k] * B[row * K + k];
  }

  C[i] = sum;
}

}  // namespace

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int elements = M * N;
  if (elements == 0) return;

  const int threads = 256;
  const int blocks = (elements + threads - 1) / threads;
  matmul_nt_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
