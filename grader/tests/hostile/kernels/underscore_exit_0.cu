// Ends the program as if all were well: _exit(0).
// expect: crashed
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  _exit(0);
}
