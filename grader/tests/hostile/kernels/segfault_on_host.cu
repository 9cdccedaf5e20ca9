// Host code that writes through a null pointer.
// expect: crashed
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}
