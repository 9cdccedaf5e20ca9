// mistake: host-reads-offsets
// why: The host copies the offsets back and reads them, without a wait, for a launch an expert.
// rejected-for: forbidden_call
// rejected-on: both
#include <vector>

#include "moe/kernels.h"

namespace {

constexpr int kMostRowBlocks = 64;  // of an expert: its blocks walk on if it has more rows

__global__ void expert_up_kernel(const float* Xs, const float* W1, int expert, int begin, int end,
                                 float* Z, int D, int H) {
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
  std::vector<int> rows(E + 1);
  cudaMemcpyAsync(rows.data(), offsets, (E + 1) * sizeof(int), cudaMemcpyDeviceToHost, stream);
  const dim3 grid(needed < kMostRowBlocks ? needed : kMostRowBlocks);
  for (int e = 0; e < E; ++e) {
    if (rows[e] == rows[e + 1]) continue;
    expert_up_kernel<<<grid, block, 0, stream>>>(Xs, W1, e, rows[e], rows[e + 1], Z, D, H);
  }
}
