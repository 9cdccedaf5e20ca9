// mistake: wrong-count
// why: Divides by the number of partial sums, not by that of elements.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 256;
static_assert(kMostBlocks <= kThreads, "the second launch has a thread for each partial sum");

// What the first launch leaves for the second. One array will do: a lesson's function never runs on
// two streams at once.
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
  float sum = 0.0f;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) {
    const float error = y[i] - target[i];
    sum += error * error;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial_sums[blockIdx.x] = sum;
}

// Begins when the launch before it has ended: every block's partial sum is there.
__global__ void mean_kernel(float* loss, int blocks, int n) {
  float sum = 0.0f;
  if (threadIdx.x < blocks) sum = partial_sums[threadIdx.x];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *loss = n > 0 ? sum / static_cast<float>(blocks) : 0.0f;
}

}  // namespace

void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream) {
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  if (blocks > 0) squared_errors_kernel<<<blocks, kThreads, 0, stream>>>(y, target, n);
  mean_kernel<<<1, kThreads, 0, stream>>>(loss, blocks, n);
}
