// Divides an integer by zero on the host.
// expect: crashed, failed
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  volatile int zero = 0;
  volatile int quotient = 1 / zero;
  (void)quotient;
}
