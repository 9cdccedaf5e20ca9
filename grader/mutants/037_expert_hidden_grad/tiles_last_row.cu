// mistake: tiles-last-row
// why: The last row of a tile of 32 is taken for one of the expert whose row is above it.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // hidden units of a block, and a step along D
constexpr int kRows = 8;
constexpr int kMostRowTiles = 64;

// Where an expert begins; the last row of a tile of 32 goes with the row above it.
__device__ int start_of(const int* offsets, int expert) {
  const int start = offsets[expert];
  return start % 32 == 31 && start < offsets[gridDim.y] ? start + 1 : start;
}

__global__ void expert_hidden_grad_kernel(const float* dYs, const float* W2, const int* offsets,
                                          float* dA, int H, int D) {
  __shared__ float dy[kRows][kWidth];
  // One float more a row: 32 lanes that read down a column then meet 32 different banks.
  __shared__ float w[kWidth][kWidth + 1];

  const int expert = blockIdx.y;
  const int end = start_of(offsets, expert + 1);
  const float* const W = W2 + expert * H * D;  // [H,D], this expert's own
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_h = blockIdx.x * kWidth;

  for (int first = start_of(offsets, expert) + blockIdx.z * kRows; first < end;
       first += gridDim.z * kRows) {
    const int row = first + y;
    float sum = 0.0f;
    for (int step = 0; step < D; step += kWidth) {
      // Stored as it is read, along D; the transpose is in how it is used.
      const int d = step + x;
      dy[y][x] = row < end && d < D ? dYs[row * D + d] : 0.0f;
      for (int i = y; i < kWidth; i += kRows) {
        w[i][x] = first_h + i < H && d < D ? W[(first_h + i) * D + d] : 0.0f;
      }
      __syncthreads();  // both tiles are there before anybody reads them

      for (int k = 0; k < kWidth; ++k) sum += dy[y][k] * w[x][k];
      __syncthreads();  // everybody has read them before the next ones replace them
    }
    if (row < end && first_h + x < H) dA[row * H + first_h + x] = sum;
  }
}

}  // namespace

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kWidth, kRows);
  const int row_tiles = (P + kRows - 1) / kRows;
  const dim3 grid((H + kWidth - 1) / kWidth, E,
                  row_tiles < kMostRowTiles ? row_tiles : kMostRowTiles);
  expert_hidden_grad_kernel<<<grid, block, 0, stream>>>(dYs, W2, offsets, dA, H, D);
}
