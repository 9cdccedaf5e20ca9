// Jumps into a call that has returned.
// expect: crashed, failed
#include <csetjmp>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  static std::jmp_buf earlier;
  static bool set = false;
  if (set) std::longjmp(earlier, 1);
  set = true;
  if (setjmp(earlier) != 0) return;
}
