// Defines functions of the C library, so that the grader might call them.
// expect: failed, compile_error
#include <sys/types.h>

#include <cstddef>

#include "moe/kernels.h"

extern "C" {
ssize_t write(int, const void*, size_t size) {
  return static_cast<ssize_t>(size);
}
int memcmp(const void*, const void*, size_t) {
  return 0;
}
void exit(int) {
  __builtin_trap();
}
}
double fabs(double) {
  return 0;
}
void* operator new(std::size_t) {
  return nullptr;
}

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}
