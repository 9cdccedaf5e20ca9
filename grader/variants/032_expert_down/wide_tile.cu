// right: tiles of 32 x 32 filled by 32 x 8 threads, four outputs a thread, row tiles along x.
#include "moe/kernels.h"
namespace {
__global__ void down(const float* A, const float* W2, const int* offsets, float* Ys, int H, int D) {
  __shared__ float a[32][33], w[32][33];
  const int e = blockIdx.z, end = offsets[e + 1], x = threadIdx.x;
  for (int first = offsets[e] + blockIdx.x * 32; first < end; first += gridDim.x * 32) {
    for (int left = blockIdx.y * 32; left < D; left += gridDim.y * 32) {
      float sum[4] = {};
      for (int step = 0; step < H; step += 32) {
        __syncthreads();
        for (int y = threadIdx.y; y < 32; y += 8) {
          a[y][x] = first + y < end && step + x < H ? A[(first + y) * H + step + x] : 0.0f;
          w[y][x] = step + y < H && left + x < D ? W2[(e * H + step + y) * D + left + x] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
          for (int i = 0; i < 4; ++i) sum[i] += a[threadIdx.y + 8 * i][k] * w[k][x];
        }
      }
      for (int i = 0; i < 4; ++i) {
        const int row = first + threadIdx.y + 8 * i;
        if (row < end && left + x < D) Ys[row * D + left + x] = sum[i];
      }
    }
  }
}
}  // namespace
void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const int rows = P < 32 * 40 ? (P + 31) / 32 : 40, columns = D < 32 * 9 ? (D + 31) / 32 : 9;
  down<<<dim3(rows, columns, E), dim3(32, 8), 0, stream>>>(A, W2, offsets, Ys, H, D);
}
