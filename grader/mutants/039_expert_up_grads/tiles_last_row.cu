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

__global__ void expert_up_grads_kernel(const float* Xs, const float* dZ, const int* offsets,
                                       float* dW1, float* db1, int D, int H) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // of the expert's [D,H]
  if (i >= D * H) return;

  const int d = i / H;
  const int h = i % H;

  const int expert = blockIdx.y;
  const int end = start_of(offsets, expert + 1);
  float weight_sum = 0.0f;
  float bias_sum = 0.0f;
  // The bias is a weight whose input is always 1: the same walk sums both.
  for (int row = start_of(offsets, expert); row < end; ++row) {
    const float dz = dZ[row * H + h];
    weight_sum += Xs[row * D + d] * dz;
    bias_sum += dz;
  }

  dW1[expert * D * H + i] += weight_sum;
  // All D threads of column h have this sum; one of them owns db1's element.
  if (d == 0) db1[expert * H + h] += bias_sum;
}

}  // namespace

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 grid((D * H + kThreads - 1) / kThreads, E);
  expert_up_grads_kernel<<<grid, kThreads, 0, stream>>>(Xs, dZ, offsets, dW1, db1, D, H);
}
