// Ends the program as if all were well: exit(0).
// expect: crashed
#include <cstdlib>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  exit(0);
}
