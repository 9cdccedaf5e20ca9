// 002 matmul_nt: C[M,N] = A[M,K] B[N,K]^T, one thread per element of C.
//
// A, B and C are row-major float arrays in device memory. M may be 0; N and K are at least 1.
#include "moe/kernels.h"

namespace {

__global__ void matmul_nt_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  // As in 001: thread i has element i of C, and threads without an element return.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;

  // TODO(1): add up the K products of two rows: which row of A, and which row of B?
  float sum = 0.0f;
  // END TODO(1)

  C[i] = sum;
}

}  // namespace

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  // TODO(2): when C has no elements, launch nothing.
  // END TODO(2)

  // TODO(3): launch enough blocks of 256 threads for all elements of C. As it stands, one block of
  // one thread computes a single element.
  matmul_nt_kernel<<<1, 1, 0, stream>>>(A, B, C, M, N, K);
  // END TODO(3)
}
