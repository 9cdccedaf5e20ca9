// Takes memory until there is none, a page at a time.
// expect: crashed, timed_out
// full: takes a whole time limit
#include <cstdlib>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (;;) *static_cast<volatile char*>(malloc(4096)) = 1;
}
