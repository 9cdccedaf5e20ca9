// mistake: tiles-last-row
// why: The last row of a tile of 64 is taken for one of the expert whose row is above it.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kTile = 16;
constexpr int kMostRowTiles = 64;  // of an expert: its blocks walk on if it has more rows

// Where an expert begins; the last row of a tile of 64 goes with the row above it.
__device__ int start_of(const int* offsets, int expert) {
  const int start = offsets[expert];
  return start % 64 == 63 && start < offsets[gridDim.y] ? start + 1 : start;
}

__global__ void expert_down_kernel(const float* A, const float* W2, const int* offsets, float* Ys,
                                   int H, int D) {
  __shared__ float a[kTile][kTile];  // the block's rows of A, 16 columns of them
  __shared__ float w[kTile][kTile];  // the same 16 rows of W2, the block's columns

  const int expert = blockIdx.y;
  const int end = start_of(offsets, expert + 1);
  const float* const W = W2 + expert * H * D;  // [H,D], this expert's own
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * kTile + x;

  // `first` and `step` are the same for all threads of the block, so all go round equally often.
  for (int first = start_of(offsets, expert) + blockIdx.z * kTile; first < end;
       first += gridDim.z * kTile) {
    const int row = first + y;
    float sum = 0.0f;
    for (int step = 0; step < H; step += kTile) {
      a[y][x] = row < end && step + x < H ? A[row * H + step + x] : 0.0f;
      w[y][x] = step + y < H && col < D ? W[(step + y) * D + col] : 0.0f;

      __syncthreads();  // both tiles are full before anybody reads them

      for (int k = 0; k < kTile; ++k) sum += a[y][k] * w[k][x];
      __syncthreads();  // everybody has read them before they are filled again
    }
    if (row < end && col < D) Ys[row * D + col] = sum;
  }
}

}  // namespace

void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kTile, kTile);
  const int row_tiles = (P + kTile - 1) / kTile;
  const dim3 grid((D + kTile - 1) / kTile, E,
                  row_tiles < kMostRowTiles ? row_tiles : kMostRowTiles);
  expert_down_kernel<<<grid, block, 0, stream>>>(A, W2, offsets, Ys, H, D);
}
