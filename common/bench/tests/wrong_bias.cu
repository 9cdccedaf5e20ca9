// Leaves the last row without its bias.
#include "moe/kernels.h"

namespace {

__global__ void add_bias(const float* X, const float* b, float* Y, int rows, int cols) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * cols) Y[i] = X[i] + (i / cols < rows - 1 ? b[i % cols] : 0.0f);
}

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>((rows * cols + 255) / 256);
  add_bias<<<blocks, 256, 0, stream>>>(X, b, Y, rows, cols);
}
