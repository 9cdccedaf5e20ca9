// mistake: rounds-to-half
// why: The bias is rounded to the 11 bits of a 16-bit float.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

// The nearest number with the 11 significant bits of a 16-bit float.
__device__ float in_half(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

__global__ void bias_add_kernel(const float* X, const float* b, float* Y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;

  // Neighbouring threads stay on neighbouring columns. X may be Y: each thread reads an element
  // before it writes that same element, and no other thread touches it.
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    const int i = row * cols + col;
    Y[i] = X[i] + in_half(b[col]);
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
