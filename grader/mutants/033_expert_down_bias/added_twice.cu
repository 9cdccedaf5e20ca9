// mistake: added-twice
// why: Two blocks an expert, and each walks all of its rows.
// rejected-for: race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void expert_down_bias_kernel(float* Ys, const float* b2, const int* offsets, int D) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= D) return;

  const int expert = blockIdx.y;
  const float bias = b2[expert * D + col];  // a register: one read for all rows

  const int end = offsets[expert + 1];
  for (int row = offsets[expert]; row < end; ++row) Ys[row * D + col] += bias;
}

}  // namespace

void expert_down_bias(float* Ys, const float* b2, const int* offsets, int P, int E, int D,
                      cudaStream_t stream) {
  if (P == 0) return;

  const dim3 grid((D + kThreads - 1) / kThreads, E, 2);
  expert_down_bias_kernel<<<grid, kThreads, 0, stream>>>(Ys, b2, offsets, D);
}
