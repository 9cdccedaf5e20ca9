// right: 16 x 16 threads and tiles of 16 x 17; W2 stored turned, read along rows.
#include "moe/kernels.h"

namespace {

constexpr int kTile = 16;

__global__ void hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int H,
                            int D) {
  __shared__ float dy[kTile][kTile + 1];
  __shared__ float turned[kTile][kTile + 1];
  const int e = blockIdx.z, x = threadIdx.x, y = threadIdx.y;
  const int h0 = blockIdx.x * kTile;
  const float* W = W2 + static_cast<size_t>(e) * H * D;
  for (int r0 = offsets[e] + blockIdx.y * kTile; r0 < offsets[e + 1]; r0 += gridDim.y * kTile) {
    float sum = 0;
    for (int d0 = 0; d0 < D; d0 += kTile) {
      __syncthreads();
      const bool column = d0 + x < D;
      dy[y][x] = column && r0 + y < offsets[e + 1] ? dYs[(r0 + y) * D + d0 + x] : 0;
      turned[x][y] = column && h0 + y < H ? W[(h0 + y) * D + d0 + x] : 0;
      __syncthreads();
      for (int k = 0; k < kTile; ++k) sum = fmaf(dy[y][k], turned[k][x], sum);
    }
    if (r0 + y < offsets[e + 1] && h0 + x < H) dA[(r0 + y) * H + h0 + x] = sum;
  }
}

}  // namespace

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const int rows = (P + kTile - 1) / kTile;
  const dim3 grid((H + kTile - 1) / kTile, rows < 16 ? rows : 16, E);
  hidden_grad<<<grid, dim3(kTile, kTile), 0, stream>>>(dYs, W2, offsets, dA, H, D);
}
