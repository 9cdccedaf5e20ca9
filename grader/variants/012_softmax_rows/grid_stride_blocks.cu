// right: a fixed grid whose blocks walk over the rows; two shared arrays, so no barrier between
// the two reductions of a row, but one before the next row.
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 64;

__global__ void softmax_rows_kernel(const float* x, float* y, int rows, int cols) {
  __shared__ float maxima[kThreads], sums[kThreads];
  const int i = threadIdx.x;
  for (unsigned row = blockIdx.x; row < static_cast<unsigned>(rows); row += gridDim.x) {
    const float* in = x + static_cast<size_t>(row) * cols;
    float* out = y + static_cast<size_t>(row) * cols;
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
    __syncthreads();
  }
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  const int blocks = rows > 512 ? 512 : rows;
  softmax_rows_kernel<<<blocks, kThreads, 0, stream>>>(x, y, rows, cols);
}
