// mistake: unaligned-vector
// why: Four floats at a time need addresses that are multiples of 16 bytes.
// rejected-for: misaligned,value,out_of_bounds
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
  int k = 0;
  for (; k + 4 <= K; k += 4) {
    const float4 a = *reinterpret_cast<const float4*>(&A[row * K + k]);
    const float4 b = *reinterpret_cast<const float4*>(&B[col * K + k]);
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (; k < K; ++k) {
    sum += A[row * K + k] * B[col * K + k];
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
