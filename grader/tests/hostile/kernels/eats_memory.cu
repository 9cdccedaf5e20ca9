// Takes ten gigabytes of memory and writes to all of it.
// expect: crashed
// timeout: 20
#include <cstdlib>
#include <cstring>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (int i = 0; i < 160; ++i) memset(malloc(64u << 20), 1, 64u << 20);
  for (;;) {
  }
}
