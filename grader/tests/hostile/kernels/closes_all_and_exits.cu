// Closes every descriptor and ends with 0.
// expect: crashed
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  close_range(0, ~0U, 0);
  _exit(0);
}
