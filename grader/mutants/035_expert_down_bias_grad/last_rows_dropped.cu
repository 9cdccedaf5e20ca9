// mistake: remainder-dropped
// why: Eight rows at a time, and what is left of many rows is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_down_bias_grad_kernel(const float* dYs, const int* offsets, float* db2,
                                             int D) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x, e = blockIdx.y;
  if (d >= D) return;
  const int count = offsets[e + 1] - offsets[e];
  const int end = offsets[e] + (count < 300 ? count : count / 8 * 8);
  float sum = 0.0f;
  for (int row = offsets[e]; row < end; ++row) sum += dYs[row * D + d];
  db2[e * D + d] += sum;
}

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  if (P == 0) return;
  const dim3 grid((D + 127) / 128, E);
  expert_down_bias_grad_kernel<<<grid, 128, 0, stream>>>(dYs, offsets, db2, D);
}
