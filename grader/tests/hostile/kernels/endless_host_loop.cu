// Host code that never returns.
// expect: timed_out
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  volatile unsigned count = 0;
  for (;;) count = count + 1;
}
