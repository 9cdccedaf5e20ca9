// Reads what the grader was told on its standard input.
// expect: failed
#include <cstdio>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  char line[256];
  if (fgets(line, sizeof line, stdin) != nullptr) printf("the secret is %s", line);
}
