// Overwrites whatever lies near its own memory.
// expect: crashed, failed, timed_out
#include <cstdlib>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  volatile char* mine = static_cast<char*>(malloc(64));
  for (long i = 0; i < (1 << 16); ++i) mine[i] = 'x';
}
