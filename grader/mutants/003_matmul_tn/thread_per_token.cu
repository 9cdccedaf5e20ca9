// mistake: thread-per-token
// why: Every token adds to every element of C, and nothing orders the additions.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_tn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= K) return;
  for (int e = 0; e < M * N; ++e) {
    C[e] += A[k * M + e / N] * B[k * N + e % N];
  }
}

}  // namespace

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (K == 0) return;
  const int threads = 256;
  const int blocks = (K + threads - 1) / threads;
  matmul_tn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
