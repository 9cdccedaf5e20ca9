// Redefines CUDA's own words, so that the "kernel" is host code that touches device memory.
// expect: failed:host_access, compile_error, crashed
#include "moe/kernels.h"

#undef __global__
#define __global__ static
#define threadIdx fake_index
#define __syncthreads() ((void)0)

namespace {

struct {
  int x;
} fake_index;

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M * N; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
    C[i] = sum + static_cast<float>(0 * threadIdx.x);
  }
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  attack(A, B, C, M, N, K);
}
