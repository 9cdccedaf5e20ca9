// mistake: tiles-last-row
// why: The last row of a tile of 64 is taken for one of the expert whose row is above it.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

// Where an expert begins; the last row of a tile of 64 goes with the row above it.
__device__ int start_of(const int* offsets, int expert) {
  const int start = offsets[expert];
  return start % 64 == 63 && start < offsets[gridDim.y] ? start + 1 : start;
}

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dYs, const int* offsets,
                                               float* dW2, int H, int D) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // of the expert's [H,D]
  if (i >= H * D) return;
  const int h = i / D;
  const int d = i % D;

  // The sum runs over the expert's rows: its length is what differs from expert to expert.
  const int expert = blockIdx.y;
  const int end = start_of(offsets, expert + 1);
  float sum = 0.0f;
  for (int row = start_of(offsets, expert); row < end; ++row)
    sum += A[row * H + h] * dYs[row * D + d];
  dW2[expert * H * D + i] += sum;
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 grid((H * D + kThreads - 1) / kThreads, E);
  expert_down_weight_grad_kernel<<<grid, kThreads, 0, stream>>>(A, dYs, offsets, dW2, H, D);
}
