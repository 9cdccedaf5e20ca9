// Throws an exception at the grader.
// expect: crashed, failed
#include <stdexcept>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  throw std::runtime_error("PASS");
}
