// mistake: missing-barrier
// why: Threads read parts of the shared row of A that others may not have written yet.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kChunk = 64;

// A block per row of C; the row of A is staged in shared memory, chunk by chunk.
__global__ void matmul_nt_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float chunk[kChunk];
  const int row = blockIdx.x;
  for (int first = 0; first < N; first += blockDim.x) {
    const int col = first + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += kChunk) {
      const int length = K - k0 < kChunk ? K - k0 : kChunk;
      if (threadIdx.x < length) chunk[threadIdx.x] = A[row * K + k0 + threadIdx.x];
      // A __syncthreads() belongs here, and one after the loop below.
      if (col < N) {
        for (int k = 0; k < length; ++k) sum += chunk[k] * B[col * K + k0 + k];
      }
    }
    if (col < N) C[row * N + col] = sum;
  }
}

}  // namespace

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  matmul_nt_kernel<<<M, 64, 0, stream>>>(A, B, C, M, N, K);
}
