// right: a launch for each expert, over all rows; the device compares rows with the offsets.
#include "moe/kernels.h"
namespace {
__global__ void up(const float* Xs, const float* W, const int* offsets, float* Z, int P, int D,
                   int H) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= P || row < offsets[0] || row >= offsets[1]) return;
  for (int h = 0; h < H; ++h) {
    float sum = Xs[row * D] * W[h];
    for (int d = 1; d < D; ++d) sum = fmaf(Xs[row * D + d], W[d * H + h], sum);
    Z[row * H + h] = sum;
  }
}
}  // namespace
void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream) {
  if (P == 0) return;
  for (int e = 0; e < E; ++e) {
    up<<<(P + 63) / 64, 64, 0, stream>>>(Xs, W1 + (long long)e * D * H, offsets + e, Z, P, D, H);
  }
}
