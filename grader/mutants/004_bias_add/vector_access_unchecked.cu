// mistake: unaligned-vector
// why: Four floats at a time need addresses that are multiples of 16 bytes.
// rejected-for: misaligned
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_add_kernel(const float* X, const float* b, float* Y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;

  // Neighbouring threads stay on neighbouring columns. X may be Y: each thread reads an element
  // before it writes that same element, and no other thread touches it.
  for (int col = 4 * threadIdx.x; col < cols; col += 4 * blockDim.x) {
    const int i = row * cols + col;
    if (col + 4 <= cols) {
      float4 x = *reinterpret_cast<const float4*>(&X[i]);
      x.x += b[col];
      x.y += b[col + 1];
      x.z += b[col + 2];
      x.w += b[col + 3];
      *reinterpret_cast<float4*>(&Y[i]) = x;
    } else {
      for (int c = col; c < cols; ++c) Y[row * cols + c] = X[row * cols + c] + b[c];
    }
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
