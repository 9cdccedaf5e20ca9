// right: a thread a row, the product written out: y dy - y dot.
#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_backward_kernel(const float* y, const float* dy, float* dx, int rows,
                                             int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * cols;
  float dot = 0.0f;
  for (int c = cols - 1; c >= 0; --c) dot = fmaf(y[first + c], dy[first + c], dot);
  for (int c = 0; c < cols; ++c) {
    dx[first + c] = y[first + c] * dy[first + c] - y[first + c] * dot;
  }
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<(rows + 63) / 64, 64, 0, stream>>>(y, dy, dx, rows, cols);
}
