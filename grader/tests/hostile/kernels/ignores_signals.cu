// Ignores every signal that can be ignored, and never ends.
// expect: timed_out
// full: takes a whole time limit
#include <unistd.h>

#include <csignal>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  for (;;) pause();
}
