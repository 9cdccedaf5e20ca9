// mistake: minus-infinity
// why: A thread whose entries are all -inf subtracts -inf from -inf.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 128;

// One pass: a running maximum and a sum that is scaled whenever it grows. A thread that has seen
// nothing but -inf computes exp(-inf - -inf), which is NaN.
__global__ void softmax_rows_kernel(const float* x, float* y, int cols) {
  __shared__ float maxima[kThreads], sums[kThreads];
  const int first = blockIdx.x * cols, i = threadIdx.x;
  float largest = -INFINITY, sum = 0.0f;
  for (int c = i; c < cols; c += kThreads) {
    const float value = x[first + c], larger = fmaxf(largest, value);
    sum = sum * expf(largest - larger) + expf(value - larger);
    largest = larger;
  }
  maxima[i] = largest;
  sums[i] = sum;
  __syncthreads();
  float row_max = -INFINITY, row_sum = 0.0f;
  for (int t = 0; t < kThreads; ++t) row_max = fmaxf(row_max, maxima[t]);
  for (int t = 0; t < kThreads && t < cols; ++t) row_sum += sums[t] * expf(maxima[t] - row_max);
  for (int c = i; c < cols; c += kThreads) y[first + c] = expf(x[first + c] - row_max) / row_sum;
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<rows, kThreads, 0, stream>>>(x, y, cols);
}
