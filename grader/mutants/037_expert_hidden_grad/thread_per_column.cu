// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_hidden_grad_kernel(const float* dY, const float* W, const int* off,
                                          float* dA, int H, int D) {
  int r = blockIdx.x, h = threadIdx.x, e = 0;
  while (off[e + 1] <= r) ++e;
  float s = 0;
  for (int d = 0; d < D; ++d) s += dY[r * D + d] * W[(e * H + h) * D + d];
  dA[r * H + h] = s;
}

}  // namespace

void expert_hidden_grad(const float* dYs, const float* W2, const int* off, float* dA, int P, int E,
                        int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  expert_hidden_grad_kernel<<<P, H, 0, stream>>>(dYs, W2, off, dA, H, D);
}
