// Writes line markers, so that its kernel passes for a header of the system and is not checked.
// expect: compile_error
#include "moe/kernels.h"

# 1 "/usr/include/attack.h" 1 3
__attribute__((no_sanitize("thread"))) inline void attack(const float* A, const float* B, float* C,
                                                          int M, int N, int K) {
  for (int i = 0; i < M * N; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
    C[i] = sum;
  }
}
# 16 "passes_for_a_system_header.cu" 2

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  attack(A, B, C, M, N, K);
}
