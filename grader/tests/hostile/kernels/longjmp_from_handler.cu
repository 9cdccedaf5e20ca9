// Survives its own crash by a jump out of the handler.
// expect: crashed, failed
#include <csetjmp>
#include <csignal>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  static std::jmp_buf safe;
  signal(SIGSEGV, [](int) { std::longjmp(safe, 1); });
  if (setjmp(safe) == 0) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
}
