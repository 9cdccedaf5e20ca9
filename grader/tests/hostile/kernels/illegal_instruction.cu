// Runs an illegal instruction.
// expect: crashed
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  __builtin_trap();
}
