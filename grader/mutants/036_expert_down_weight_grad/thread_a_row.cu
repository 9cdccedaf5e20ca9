// mistake: thread-a-row
// why: Two rows of an expert add to one weight at the same time: an addition is lost.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void table_kernel(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int H, int D) {
  const int row = blockIdx.x;
  int expert = 0;
  while (offsets[expert + 1] <= row) ++expert;
  for (int i = threadIdx.x; i < H * D; i += blockDim.x) {
    dW2[expert * H * D + i] += A[row * H + i / D] * dYs[row * D + i % D];
  }
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  (void)E;
  if (P > 0) table_kernel<<<P, 64, 0, stream>>>(A, dYs, offsets, dW2, H, D);
}
