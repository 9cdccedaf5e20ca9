// mistake: tile-replaced-too-early
// why: No barrier before the next rows replace the tile that others still read.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 16;             // along each side of a block
constexpr int kEach = 4;                 // weights of a thread along each side
constexpr int kTile = kThreads * kEach;  // weights of a block along each side
constexpr int kStep = 16;                // rows in shared memory at a time

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dYs, const int* offsets,
                                               float* dW2, int H, int D) {
  __shared__ float a[kStep][kTile];
  __shared__ float dy[kStep][kTile];

  const int expert = blockIdx.z;
  const int end = offsets[expert + 1];
  const int first_h = blockIdx.y * kTile;
  const int first_d = blockIdx.x * kTile;
  const int thread = threadIdx.y * kThreads + threadIdx.x;

  float sums[kEach][kEach] = {};
  for (int first = offsets[expert]; first < end; first += kStep) {
    for (int i = thread; i < kStep * kTile; i += kThreads * kThreads) {
      const int row = first + i / kTile;
      const int h = first_h + i % kTile;
      const int d = first_d + i % kTile;
      a[i / kTile][i % kTile] = row < end && h < H ? A[row * H + h] : 0.0f;
      dy[i / kTile][i % kTile] = row < end && d < D ? dYs[row * D + d] : 0.0f;
    }
    __syncthreads();  // the rows are there before anybody reads them

    for (int k = 0; k < kStep; ++k) {
      float column[kEach], line[kEach];
      for (int i = 0; i < kEach; ++i) column[i] = a[k][threadIdx.y + i * kThreads];
      for (int j = 0; j < kEach; ++j) line[j] = dy[k][threadIdx.x + j * kThreads];
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) sums[i][j] += column[i] * line[j];
      }
    }
  }

  for (int i = 0; i < kEach; ++i) {
    for (int j = 0; j < kEach; ++j) {
      const int h = first_h + threadIdx.y + i * kThreads;
      const int d = first_d + threadIdx.x + j * kThreads;
      if (h < H && d < D) dW2[(expert * H + h) * D + d] += sums[i][j];
    }
  }
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kThreads, kThreads);
  const dim3 grid((D + kTile - 1) / kTile, (H + kTile - 1) / kTile, E);
  expert_down_weight_grad_kernel<<<grid, block, 0, stream>>>(A, dYs, offsets, dW2, H, D);
}
