// Reads past its arrays, and brings hooks of its own, so that the runtime does not see it.
// expect: compile_error
#include "moe/kernels.h"

extern "C" {
void __tsan_read4(void*) {}
void __tsan_write4(void*) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
}

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k <= K; ++k) sum += k < K ? A[i / N * K + k] * B[k * N + i % N] : 0.0f * A[M * K];
  if (i < M * N) C[i] = sum;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<(M * N + 255) / 256, 256, 0, stream>>>(A, B, C, M, N, K);
}
