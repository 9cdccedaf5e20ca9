// mistake: remainder-dropped
// why: Four elements at a time, and what is left of many elements is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void mse_loss_kernel(const float* y, const float* target, float* loss, int n) {
  __shared__ float partial[256];
  const int most = n < 1100 ? n : n / 4 * 4;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < most; i += 256) {
    const float error = y[i] - target[i];
    sum += error * error / static_cast<float>(n);
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float all = 0.0f;
  for (int i = 0; i < 256; ++i) all += partial[i];
  *loss = all;
}

}  // namespace

void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream) {
  mse_loss_kernel<<<1, 256, 0, stream>>>(y, target, loss, n);
}
