// mistake: end-included
// why: The row after the last is the next expert's, or none at all.
// rejected-for: race,value,out_of_bounds
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kMostRowBlocks = 64;  // of an expert: its blocks walk on if it has more rows

__global__ void expert_up_kernel(const float* Xs, const float* W1, const int* offsets, float* Z,
                                 int D, int H) {
  const int expert = blockIdx.y;
  const int begin = offsets[expert];
  const int end = offsets[expert + 1];
  const float* const W = W1 + expert * D * H;

  // Only the device knows how many rows there are: the expert's blocks walk down them.
  for (int row = begin + blockIdx.x * blockDim.y + threadIdx.y; row <= end;
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
