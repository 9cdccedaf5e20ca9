// mistake: rows-on-y
// why: The grid's y ends at 65,535 blocks; more rows of C than that are not launched.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

// What stands in an unnamed namespace belongs to this file alone: another lesson's file may use
// the same names for its own kernels.
namespace {

__global__ void matmul_nn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;

  // Along row `row` of A, down column `col` of B.
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + col];
  }

  C[row * N + col] = sum;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int elements = M * N;
  if (elements == 0) return;  // nothing to compute, and a grid of 0 blocks is an error

  const dim3 threads(16, 16);
  const dim3 blocks((N + 15) / 16, (M + 15) / 16);

  // Grid size, block size, bytes of extra memory a block, stream; then the kernel's arguments.
  matmul_nn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
