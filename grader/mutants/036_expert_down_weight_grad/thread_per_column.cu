// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dY, const int* off,
                                               float* W, int H, int D) {
  int e = blockIdx.y, h = blockIdx.x, d = threadIdx.x;
  float s = 0;
  for (int r = off[e]; r < off[e + 1]; ++r) s += A[r * H + h] * dY[r * D + d];
  W[(e * H + h) * D + d] += s;
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* off, float* dW2, int P,
                             int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  expert_down_weight_grad_kernel<<<dim3(H, E), D, 0, stream>>>(A, dYs, off, dW2, H, D);
}
