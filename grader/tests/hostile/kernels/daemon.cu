// Leaves its session and goes to the background.
// expect: crashed
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int gone = daemon(0, 0);
  (void)gone;
  sleep(98765);
}
