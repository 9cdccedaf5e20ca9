// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_nt_kernel(const float* A, const float* B, float* C, int K) {
  int m = blockIdx.x, n = threadIdx.x, N = blockDim.x;
  float s = 0;
  for (int i = 0; i < K; ++i) s += A[m * K + i] * B[n * K + i];
  C[m * N + n] = s;
}

}  // namespace

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  matmul_nt_kernel<<<M, N, 0, stream>>>(A, B, C, K);
}
