// mistake: two-owners
// why: A block for each stretch of tokens adds to all of C: two blocks write one element.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kTokens = 8;  // of each block along y

__global__ void matmul_tn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  const int row = i / N;
  const int col = i % N;
  const int first = blockIdx.y * kTokens;
  float sum = 0.0f;
  for (int k = first; k < K && k < first + kTokens; ++k) {
    sum += A[k * M + row] * B[k * N + col];
  }
  C[i] += sum;
}

}  // namespace

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (K == 0) return;
  const int threads = 256;
  const dim3 blocks((M * N + threads - 1) / threads, (K + kTokens - 1) / kTokens);
  matmul_tn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
