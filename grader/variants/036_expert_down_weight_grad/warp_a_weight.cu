// right: a warp for each weight of all experts; its lanes share the rows, and shuffles add up.
#include "moe/kernels.h"

namespace {

__global__ void warp_kernel(const float* A, const float* dYs, const int* offsets, float* dW2,
                            int weights, int H, int D) {
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (long long i = first; i < weights; i += warps) {
    const int expert = static_cast<int>(i) / (H * D);
    const int h = static_cast<int>(i) / D % H;
    const int d = static_cast<int>(i) % D;
    float sum = 0.0f;
    for (int row = offsets[expert] + lane; row < offsets[expert + 1]; row += 32) {
      sum = fmaf(A[row * H + h], dYs[row * D + d], sum);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) dW2[i] += sum;
  }
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const int weights = E * H * D;
  const int blocks = weights < 256 * 4 ? (weights + 3) / 4 : 256;
  warp_kernel<<<blocks, 128, 0, stream>>>(A, dYs, offsets, dW2, weights, H, D);
}
