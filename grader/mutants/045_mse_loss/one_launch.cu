// mistake: one-launch
// why: Block 0 adds the partial sums in the same launch: other blocks may not have written yet.
// rejected-for: race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 256;

__device__ float partial_sums[kMostBlocks];

__device__ float block_sum(float value) {
  __shared__ float values[kThreads];
  values[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
  }
  return threadIdx.x == 0 ? values[0] : 0.0f;
}

__global__ void mse_loss_kernel(const float* y, const float* target, float* loss, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (; i < n; i += stride) {
    const float error = y[i] - target[i];
    sum += error * error;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = sum;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) total += partial_sums[b];
    *loss = n > 0 ? total / n : 0.0f;
  }
}

}  // namespace

void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream) {
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  const int grid = blocks > 0 ? blocks : 1;  // one too when there is nothing to read
  mse_loss_kernel<<<grid, kThreads, 0, stream>>>(y, target, loss, n);
}
