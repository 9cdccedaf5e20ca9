// A kernel that never ends and touches memory all the time.
// expect: timed_out, failed:endless_loop
#include "moe/kernels.h"

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  for (;;) C[threadIdx.x % (M * N)] = 1.0f;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<1, 64, 0, stream>>>(A, B, C, M, N, K);
}
