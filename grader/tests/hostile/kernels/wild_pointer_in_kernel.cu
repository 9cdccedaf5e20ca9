// A kernel that writes far from every array.
// expect: crashed, failed:out_of_bounds
#include "moe/kernels.h"

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  C[(1ll << 40) + threadIdx.x] = 1.0f;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<1, 64, 0, stream>>>(A, B, C, M, N, K);
}
