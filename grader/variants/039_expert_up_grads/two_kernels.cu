// right: a kernel for the weights by atomics, a row a block, and one for the biases, a thread each.
#include "moe/kernels.h"

namespace {

__global__ void weight_kernel(const float* Xs, const float* dZ, const int* offsets, float* dW1,
                              int D, int H) {
  const int row = blockIdx.x;
  int expert = 0;
  while (offsets[expert + 1] <= row) ++expert;
  for (int i = threadIdx.x; i < D * H; i += blockDim.x) {
    atomicAdd(&dW1[expert * D * H + i], Xs[row * D + i / H] * dZ[row * H + i % H]);
  }
}

__global__ void bias_kernel(const float* dZ, const int* offsets, float* db1, int n, int H) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = offsets[i / H]; row < offsets[i / H + 1]; ++row) db1[i] += dZ[row * H + i % H];
}

}  // namespace

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;
  weight_kernel<<<P, 64, 0, stream>>>(Xs, dZ, offsets, dW1, D, H);
  bias_kernel<<<(E * H + 127) / 128, 128, 0, stream>>>(dZ, offsets, db1, E * H, H);
}
