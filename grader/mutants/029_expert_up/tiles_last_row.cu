// mistake: tiles-last-row
// why: The last row of a tile of 32 is taken for one of the expert whose row is above it.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kMostRowBlocks = 64;  // of an expert: its blocks walk on if it has more rows

// Where an expert begins; the last row of a tile of 32 goes with the row above it.
__device__ int start_of(const int* offsets, int expert) {
  const int start = offsets[expert];
  return start % 32 == 31 && start < offsets[gridDim.y] ? start + 1 : start;
}

__global__ void expert_up_kernel(const float* Xs, const float* W1, const int* offsets, float* Z,
                                 int D, int H) {
  const int expert = blockIdx.y;
  const int begin = start_of(offsets, expert);
  const int end = start_of(offsets, expert + 1);
  const float* const W = W1 + expert * D * H;

  // Only the device knows how many rows there are: the expert's blocks walk down them.
  for (int row = begin + blockIdx.x * blockDim.y + threadIdx.y; row < end;
       row += gridDim.x * blockDim.y) {
    for (int h = threadIdx.x; h < H; h += blockDim.x) {
      float sum = 0.0f;
      for (int d = 0; d < D; ++d) sum += Xs[row * D + d] * W[d * H + h];
      Z[row * H + h] = sum;
    }
  }
}

}  // namespace

void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(32, 8);
  const int needed = (P + static_cast<int>(block.y) - 1) / static_cast<int>(block.y);
  const dim3 grid(needed < kMostRowBlocks ? needed : kMostRowBlocks, E);
  expert_up_kernel<<<grid, block, 0, stream>>>(Xs, W1, offsets, Z, D, H);
}
