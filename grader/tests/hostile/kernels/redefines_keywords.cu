// Redefines keywords and the names of the declarations before it includes them.
// expect: compile_error
#define float double
#define const
#define void int
#define matmul_nn elementwise_add
#include "moe/kernels.h"

matmul_nn(float* A, float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  return 0;
}
