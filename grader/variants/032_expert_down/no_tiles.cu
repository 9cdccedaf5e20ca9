// right: the kernel of 029, without shared memory.
#include "moe/kernels.h"
namespace {
__global__ void down(const float* A, const float* W2, const int* offsets, float* Ys, int H, int D) {
  const int e = blockIdx.y;
  for (int row = offsets[e] + blockIdx.x * blockDim.y + threadIdx.y; row < offsets[e + 1];
       row += gridDim.x * blockDim.y) {
    for (int col = threadIdx.x; col < D; col += blockDim.x) {
      float sum = 0;
      for (int h = 0; h < H; ++h) sum += A[row * H + h] * W2[(e * H + h) * D + col];
      Ys[row * D + col] = sum;
    }
  }
}
}  // namespace
void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const int blocks = P < 8 * 64 ? (P + 7) / 8 : 64;
  down<<<dim3(blocks, E), dim3(32, 8), 0, stream>>>(A, W2, offsets, Ys, H, D);
}
