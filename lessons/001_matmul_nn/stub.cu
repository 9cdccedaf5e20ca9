// 001 matmul_nn: C[M,N] = A[M,K] B[K,N], one thread per element of C.
//
// A, B and C are row-major float arrays in device memory. M may be 0; N and K are at least 1.
#include "moe/kernels.h"

// What stands in an unnamed namespace belongs to this file alone: another lesson's file may use
// the same names for its own kernels.
namespace {

__global__ void matmul_nn_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  // TODO(1): which element of C is this thread's? Number the threads through the whole grid:
  // thread i has element i of C, counted row by row. Set i, then `row` and `col` from it.
  // END TODO(1)

  // TODO(2): whole blocks are launched, so some threads may have no element. They return here.
  // END TODO(2)

  // TODO(3): add up the K products of row `row` of A and column `col` of B; the sum is C[i].
  // END TODO(3)
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int elements = M * N;
  if (elements == 0) return;  // nothing to compute, and a grid of 0 blocks is an error

  const int threads = 256;                                // in each block
  const int blocks = (elements + threads - 1) / threads;  // elements / threads, rounded up

  // Grid size, block size, bytes of extra memory a block, stream; then the kernel's arguments.
  matmul_nn_kernel<<<blocks, threads, 0, stream>>>(A, B, C, M, N, K);
}
