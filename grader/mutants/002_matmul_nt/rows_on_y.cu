// mistake: rows-on-y
// why: The grid's y ends at 65,535 blocks; more rows of C than that are not launched.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void matmul_nt_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N) return;

  // Two rows of length K: column `col` of the transposed B is row `col` of B as it is stored.
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[col * K + k];
  }

  C[row * N + col] = sum;
}

}  // namespace

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int elements = M * N;
  if (elements == 0) return;

  const int threads = N < 256 ? 32 : 256;
  const dim3 blocks((N + threads - 1) / threads, M);
  matmul_nt_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
