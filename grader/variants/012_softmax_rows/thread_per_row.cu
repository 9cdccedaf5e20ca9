// right: a thread a row, the running maximum and the running sum in one pass.
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_kernel(const float* x, float* y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += static_cast<size_t>(row) * cols;
  y += static_cast<size_t>(row) * cols;
  float largest = -INFINITY, sum = 0.0f;
  for (int c = 0; c < cols; ++c) {
    if (x[c] == -INFINITY) continue;
    if (x[c] > largest) {
      sum *= expf(largest - x[c]);
      largest = x[c];
    }
    sum += expf(x[c] - largest);
  }
  const float inverse = 1.0f / sum;
  for (int c = 0; c < cols; ++c) y[c] = expf(x[c] - largest) * inverse;
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<(rows + 127) / 128, 128, 0, stream>>>(x, y, rows, cols);
}
