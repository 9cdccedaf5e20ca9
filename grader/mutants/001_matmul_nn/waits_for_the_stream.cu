// mistake: synchronises
// why: A lesson function must leave the host free to go on.
// rejected-for: forbidden_call
// rejected-on: both
#include "moe/kernels.h"

// What stands in an unnamed namespace belongs to this file alone: another lesson's file may use
// the same names for its own kernels.
namespace {

__global__ void matmul_nn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  // Thread i of the whole grid has element i of C, counted row by row.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = i / N;
  const int col = i % N;

  // The last block may reach past the end of C.
  if (i >= M * N) return;

  // Along row `row` of A, down column `col` of B.
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + col];
  }

  C[i] = sum;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int elements = M * N;
  if (elements == 0) return;  // nothing to compute, and a grid of 0 blocks is an error

  const int threads = 256;                                // in each block
  const int blocks = (elements + threads - 1) / threads;  // elements / threads, rounded up

  // Grid size, block size, bytes of extra memory a block, stream; then the kernel's arguments.
  matmul_nn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
  cudaStreamSynchronize(stream);
}
