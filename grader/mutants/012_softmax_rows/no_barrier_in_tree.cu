// mistake: missing-barrier
// why: The steps of the sum follow each other without a barrier.
// rejected-for: race
// rejected-on: cpu
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;  // a power of two, so that it can be halved down to 1

// The largest of the values that the block's threads pass in; every thread gets it. `shared` has a
// place for each thread. All threads of the block must call this together.
__device__ float block_max(float value, float* shared) {
  const int i = threadIdx.x;
  shared[i] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    // The first half of what is left takes in the second half.
    if (i < half) shared[i] = fmaxf(shared[i], shared[i + half]);
    __syncthreads();
  }
  return shared[0];
}

// The sum of the values, in the same way.
__device__ float block_sum(float value, float* shared) {
  const int i = threadIdx.x;
  shared[i] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (i < half) shared[i] += shared[i + half];
  }
  return shared[0];
}

__global__ void softmax_rows_kernel(const float* x, float* y, int cols) {
  __shared__ float shared[kThreads];
  const int first = blockIdx.x * cols;  // of this block's row

  // A thread without a column passes in -inf, which changes no maximum.
  float largest = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, x[first + c]);
  const float row_max = block_max(largest, shared);

  // Everybody has read shared[0] before anybody writes to `shared` again.
  __syncthreads();

  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += kThreads) sum += expf(x[first + c] - row_max);
  const float row_sum = block_sum(sum, shared);

  for (int c = threadIdx.x; c < cols; c += kThreads) {
    y[first + c] = expf(x[first + c] - row_max) / row_sum;
  }
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<rows, kThreads, 0, stream>>>(x, y, cols);
}
