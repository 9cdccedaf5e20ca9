// mistake: drops-past-capacity
// why: Rows past a capacity, four times an even share, are left out, as layers that drop tokens do.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

// Rows that an expert may have: four times its share, and 256 at the least.
__device__ int end_of(const int* offsets, int expert) {
  const int E = gridDim.y;
  const int P = offsets[E];
  const int capacity = 4 * P / E > 256 ? 4 * P / E : 256;
  const int end = offsets[expert + 1];
  return end - offsets[expert] > capacity ? offsets[expert] + capacity : end;
}

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dYs, const int* offsets,
                                               float* dW2, int H, int D) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // of the expert's [H,D]
  if (i >= H * D) return;
  const int h = i / D;
  const int d = i % D;

  // The sum runs over the expert's rows: its length is what differs from expert to expert.
  const int expert = blockIdx.y;
  const int end = end_of(offsets, expert);
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
