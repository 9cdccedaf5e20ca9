// Half of the block waits at a barrier that the other half never reaches.
// expect: timed_out, failed:barrier_divergence, failed:deadlock
#include "moe/kernels.h"

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  if (threadIdx.x < 32) __syncthreads();
  C[threadIdx.x % (M * N)] = 1.0f;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<1, 64, 0, stream>>>(A, B, C, M, N, K);
}
