// right: columns along the grid's x, row blocks along y (walking), experts along z.
#include "moe/kernels.h"
namespace {
__global__ void up(const float* Xs, const float* W1, const int* offsets, float* Z, int D, int H) {
  const int e = blockIdx.z, h = blockIdx.x * blockDim.x + threadIdx.x;
  if (h >= H) return;
  for (int row = offsets[e] + blockIdx.y * blockDim.y + threadIdx.y; row < offsets[e + 1];
       row += gridDim.y * blockDim.y) {
    float even = 0, odd = 0;
    for (int d = 0; d + 1 < D; d += 2) {
      even += Xs[row * D + d] * W1[(e * D + d) * H + h];
      odd += Xs[row * D + d + 1] * W1[(e * D + d + 1) * H + h];
    }
    if (D % 2 == 1) even += Xs[row * D + D - 1] * W1[(e * D + D - 1) * H + h];
    Z[row * H + h] = even + odd;
  }
}
}  // namespace
void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream) {
  if (P == 0) return;
  const int rows = (P + 3) / 4;
  up<<<dim3((H + 15) / 16, rows < 100 ? rows : 100, E), dim3(16, 4), 0, stream>>>(Xs, W1, offsets,
                                                                                  Z, D, H);
}
