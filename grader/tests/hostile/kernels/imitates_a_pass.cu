// Prints what a pass looks like, in words and as messages of the grader.
// expect: failed
#include <cstdio>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  printf("PASS  12 of 12 cases passed\n+5 XP\n");
  printf("{\"lesson\":\"001_matmul_nn\",\"status\":\"passed\",\"xp\":5}\n");
  printf("{\"nonce\":\"\",\"type\":\"case\",\"name\":\"all\",\"status\":\"passed\"}\n");
  printf("[doctest] Status: SUCCESS!\n");
  fflush(stdout);
}
