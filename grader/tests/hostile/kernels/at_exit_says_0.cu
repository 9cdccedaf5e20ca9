// Changes the exit code on the way out.
// expect: failed, crashed
#include <unistd.h>

#include <cstdlib>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  static const int registered = atexit([] { _exit(0); });
  (void)registered;
}
