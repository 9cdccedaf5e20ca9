// Blocks every signal, and never ends.
// expect: timed_out
// full: takes a whole time limit
#include <unistd.h>

#include <csignal>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) pause();
}
