// mistake: rows-past-3000
// why: An expert has more than 3,000 rows, and those past them are left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kColumns = 32;  // of a block: its threads' x
constexpr int kRows = 8;      // walked at the same time: its threads' y

__global__ void expert_down_bias_grad_kernel(const float* dYs, const int* offsets, float* db2,
                                             int D) {
  __shared__ float partial[kRows][kColumns];

  const int expert = blockIdx.y;
  const int most = offsets[expert] + 3000;
  const int end = offsets[expert + 1] < most ? offsets[expert + 1] : most;
  const int col = blockIdx.x * kColumns + threadIdx.x;

  // The rows' number differs from thread to thread; there is no barrier in this loop.
  float sum = 0.0f;
  if (col < D) {
    for (int row = offsets[expert] + threadIdx.y; row < end; row += kRows) {
      sum += dYs[row * D + col];
    }
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();  // reached by all, the threads past the last column too

  if (threadIdx.y == 0 && col < D) {
    float total = 0.0f;
    for (int y = 0; y < kRows; ++y) total += partial[y][threadIdx.x];
    db2[expert * D + col] += total;
  }
}

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kColumns, kRows);
  const dim3 grid((D + kColumns - 1) / kColumns, E);
  expert_down_bias_grad_kernel<<<grid, block, 0, stream>>>(dYs, offsets, db2, D);
}
