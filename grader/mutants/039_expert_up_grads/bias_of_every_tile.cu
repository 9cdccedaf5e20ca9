// mistake: bias-of-every-tile
// why: Each tile along d adds the bias sums of its columns: as often as there are tiles.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;
constexpr int kHeight = 8;

__global__ void expert_up_grads_kernel(const float* Xs, const float* dZ, const int* offsets,
                                       float* dW1, float* db1, int D, int H) {
  __shared__ float x[kHeight][kHeight];  // rows x inputs
  __shared__ float dz[kHeight][kWidth];  // rows x hidden units

  const int expert = blockIdx.z;
  const int end = offsets[expert + 1];
  const int h = blockIdx.x * kWidth + threadIdx.x;
  const int d = blockIdx.y * kHeight + threadIdx.y;

  float weight_sum = 0.0f;
  float bias_sum = 0.0f;
  for (int first = offsets[expert]; first < end; first += kHeight) {
    const int row = first + threadIdx.y;
    dz[threadIdx.y][threadIdx.x] = row < end && h < H ? dZ[row * H + h] : 0.0f;
    if (threadIdx.x < kHeight) {
      const int input = blockIdx.y * kHeight + threadIdx.x;
      x[threadIdx.y][threadIdx.x] = row < end && input < D ? Xs[row * D + input] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kHeight; ++k) {
      weight_sum += x[k][threadIdx.y] * dz[k][threadIdx.x];
      bias_sum += dz[k][threadIdx.x];
    }
    __syncthreads();
  }
  if (h < H && d < D) dW1[(expert * D + d) * H + h] += weight_sum;
  if (h < H && threadIdx.y == 0) atomicAdd(&db1[expert * H + h], bias_sum);
}

}  // namespace

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;
  const dim3 block(kWidth, kHeight);
  const dim3 grid((H + kWidth - 1) / kWidth, (D + kHeight - 1) / kHeight, E);
  expert_up_grads_kernel<<<grid, block, 0, stream>>>(Xs, dZ, offsets, dW1, db1, D, H);
}
