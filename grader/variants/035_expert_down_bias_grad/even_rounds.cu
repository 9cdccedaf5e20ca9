// right: the barriers stay in the loop, and all threads of a block make the same number of rounds.
#include "moe/kernels.h"

namespace {

constexpr int kColumns = 32;
constexpr int kRows = 8;

__global__ void expert_down_bias_grad_kernel(const float* dYs, const int* offsets, float* db2,
                                             int D) {
  __shared__ float partial[kRows][kColumns];

  const int expert = blockIdx.y;
  const int end = offsets[expert + 1];
  const int col = blockIdx.x * kColumns + threadIdx.x;

  float total = 0.0f;
  for (int first = offsets[expert]; first < end; first += kRows) {
    const int row = first + threadIdx.y;
    partial[threadIdx.y][threadIdx.x] = row < end && col < D ? dYs[row * D + col] : 0.0f;
    __syncthreads();  // all rows of this round are there
    if (threadIdx.y == 0) {
      for (int y = 0; y < kRows; ++y) total += partial[y][threadIdx.x];
    }
    __syncthreads();  // they have been added up
  }
  if (threadIdx.y == 0 && col < D) db2[expert * D + col] += total;
}

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  const dim3 block(kColumns, kRows);
  const dim3 grid((D + kColumns - 1) / kColumns, E);
  if (P > 0) expert_down_bias_grad_kernel<<<grid, block, 0, stream>>>(dYs, offsets, db2, D);
}
