// mistake: two-passes
// why: When Y is X, the copy of the bias destroys X before it is added.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void fill_kernel(const float* b, float* Y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) Y[row * cols + col] = b[col];
}

__global__ void add_kernel(const float* X, float* Y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    Y[row * cols + col] += X[row * cols + col];
  }
}

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((rows + block.y - 1) / block.y);
  fill_kernel<<<grid, block, 0, stream>>>(b, Y, rows, cols);
  add_kernel<<<grid, block, 0, stream>>>(X, Y, rows, cols);
}
