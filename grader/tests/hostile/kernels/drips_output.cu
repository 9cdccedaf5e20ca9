// Prints a little, for ever.
// expect: timed_out
// full: takes a whole time limit
#include <unistd.h>

#include <cstdio>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (;;) {
    printf("still here\n");
    fflush(stdout);
    usleep(1000);
  }
}
