// Makes a system call by an instruction of its own.
// expect: unavailable
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(60), "D"(0) : "rcx", "r11", "memory");
}
