// right: a warp a row, eight rows a block, the products kept in dx between the two passes.
#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_backward_kernel(const float* __restrict__ y,
                                             const float* __restrict__ dy, float* __restrict__ dx,
                                             int rows, int cols) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int first = row * cols;
  float dot = 0.0f;
  for (int c = lane; c < cols; c += 32) {
    const float product = y[first + c] * dy[first + c];
    dx[first + c] = product;
    dot += product;
  }
  for (int step = 1; step < 32; step *= 2) dot += __shfl_xor_sync(0xffffffffu, dot, step);
  for (int c = lane; c < cols; c += 32) dx[first + c] -= y[first + c] * dot;
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<(rows + 7) / 8, 256, 0, stream>>>(y, dy, dx, rows, cols);
}
