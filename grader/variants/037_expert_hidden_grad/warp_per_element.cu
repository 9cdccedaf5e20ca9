// right: a warp an element of dA, its lanes along D, then shuffles; no shared memory.
#include "moe/kernels.h"

namespace {

__global__ void hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                            int E, int H, int D) {
  const int lane = threadIdx.x % 32;
  const long long warps = static_cast<long long>(gridDim.x) * blockDim.x / 32;
  long long i = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  for (; i < static_cast<long long>(P) * H; i += warps) {
    const int row = static_cast<int>(i / H), h = static_cast<int>(i % H);
    int low = 0, high = E;  // offsets[low] <= row < offsets[high]
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (offsets[middle] <= row) {
        low = middle;
      } else {
        high = middle;
      }
    }
    float sum = 0;
    for (int d = lane; d < D; d += 32) sum += dYs[row * D + d] * W2[(low * H + h) * D + d];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) dA[i] = sum;
  }
}

}  // namespace

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P > 0) hidden_grad<<<48, 128, 0, stream>>>(dYs, W2, offsets, dA, P, E, H, D);
}
