// Says with #line that its lines are those of a device that has no end.
// expect: failed:out_of_bounds, compile_error
#include "moe/kernels.h"

namespace {

#line 1 "/dev/zero"
__global__ void attack(float* C, int n) {
  int unused;
  C[n + threadIdx.x] = 1.0f;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  attack<<<1, 32, 0, stream>>>(C, M * N);
}
