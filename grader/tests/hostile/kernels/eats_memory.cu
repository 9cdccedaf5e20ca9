// Takes ten gigabytes of memory and writes to all of it.
// expect: crashed
// timeout: 60
#include <cstdlib>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (int i = 0; i < 160; ++i) {
    // volatile: the compiler may leave out memory that nobody looks at.
    volatile char* block = static_cast<volatile char*>(malloc(64u << 20));
    for (unsigned at = 0; at < (64u << 20); at += 4096) block[at] = 1;
  }
  for (;;) {
  }
}
