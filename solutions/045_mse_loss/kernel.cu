// 045 mse_loss: *loss = the mean of (y - target)^2, in two launches: partial sums, then their sum.
//
// y and target [n] are float arrays, loss is one float, all in device memory. With n = 0 the loss
// is 0.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 256;

// Between the two launches. One function never runs on two streams at once, so one array will do.
__device__ float partial_sums[kMostBlocks];

// The sum of all threads' values, for thread 0 (012's tree).
__device__ float block_sum(float value) {
  __shared__ float values[kThreads];
  values[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
  }
  // Thread 0 has written its sum itself; for the others a barrier would have to come first.
  return threadIdx.x == 0 ? values[0] : 0.0f;
}

__global__ void squared_errors_kernel(const float* y, const float* target, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (; i < n; i += stride) {
    const float error = y[i] - target[i];
    sum += error * error;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = sum;
}

// A kernel begins when the one before it on the stream has ended: here all partial sums are there.
__global__ void mean_kernel(float* loss, int blocks, int n) {
  const int thread = threadIdx.x;
  const float total = block_sum(thread < blocks ? partial_sums[thread] : 0.0f);
  if (thread == 0) *loss = n > 0 ? total / static_cast<float>(n) : 0.0f;
}

}  // namespace

void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream) {
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  if (blocks > 0) squared_errors_kernel<<<blocks, kThreads, 0, stream>>>(y, target, n);
  mean_kernel<<<1, kThreads, 0, stream>>>(loss, blocks, n);
}
