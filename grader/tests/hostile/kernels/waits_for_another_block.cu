// A thread waits for what no other thread will do.
// expect: timed_out, failed:endless_loop, failed:deadlock, failed:race
#include "moe/kernels.h"

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  volatile float* word = C;
  while (word[0] != 42.0f) {
  }
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<1, 64, 0, stream>>>(A, B, C, M, N, K);
}
