// mistake: step-too-short
// why: The walk steps by half a block, so an element has two owners; in place it adds b twice.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_add_kernel(const float* X, const float* b, float* Y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;

  // Neighbouring threads stay on neighbouring columns. X may be Y: each thread reads an element
  // before it writes that same element, and no other thread touches it.
  for (int col = threadIdx.x; col < cols; col += blockDim.x / 2) {
    const int i = row * cols + col;
    Y[i] = X[i] + b[col];
  }
}

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;

  // The rows lie along the grid's x: its y and z end at 65,535 blocks.
  const dim3 block(32, 8);
  const dim3 grid((rows + block.y - 1) / block.y);
  bias_add_kernel<<<grid, block, 0, stream>>>(X, b, Y, rows, cols);
}
