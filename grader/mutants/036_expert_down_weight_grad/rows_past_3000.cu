// mistake: rows-past-3000
// why: An expert has more than 3,000 rows, and those past them are left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dYs, const int* offsets,
                                               float* dW2, int H, int D) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // of the expert's [H,D]
  if (i >= H * D) return;
  const int h = i / D;
  const int d = i % D;

  // The sum runs over the expert's rows: its length is what differs from expert to expert.
  const int expert = blockIdx.y;
  const int most = offsets[expert] + 3000;
  const int end = offsets[expert + 1] < most ? offsets[expert + 1] : most;
  float sum = 0.0f;
  for (int row = offsets[expert]; row < end; ++row) sum += A[row * H + h] * dYs[row * D + d];
  dW2[expert * H * D + i] += sum;
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 grid((H * D + kThreads - 1) / kThreads, E);
  expert_down_weight_grad_kernel<<<grid, kThreads, 0, stream>>>(A, dYs, offsets, dW2, H, D);
}
