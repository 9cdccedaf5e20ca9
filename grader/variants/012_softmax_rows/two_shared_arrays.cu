// right: a shared array for each reduction, so no barrier between the two; every thread adds up.
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 64;

__global__ void softmax_rows_kernel(const float* x, float* y, int cols) {
  __shared__ float maxima[kThreads], sums[kThreads];
  const int i = threadIdx.x;
  const float* in = x + static_cast<size_t>(blockIdx.x) * cols;
  float* out = y + static_cast<size_t>(blockIdx.x) * cols;
  float largest = -INFINITY;
  for (int c = i; c < cols; c += kThreads) largest = fmaxf(largest, in[c]);
  maxima[i] = largest;
  __syncthreads();
  for (int t = 0; t < kThreads; ++t) largest = fmaxf(largest, maxima[t]);
  float sum = 0.0f;
  for (int c = i; c < cols; c += kThreads) sum += expf(in[c] - largest);
  sums[i] = sum;
  __syncthreads();
  float total = 0.0f;
  for (int t = 0; t < kThreads; ++t) total += sums[t];
  for (int c = i; c < cols; c += kThreads) out[c] = expf(in[c] - largest) / total;
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<rows, kThreads, 0, stream>>>(x, y, cols);
}
