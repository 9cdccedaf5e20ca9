// mistake: return-before-barrier
// why: The rows past the end return before a barrier at which their block waits.
// rejected-for: barrier_divergence
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;

__global__ void bias_add_kernel(const float* X, const float* b, float* Y, int rows, int cols) {
  __shared__ float bias[kWidth];
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  for (int first = 0; first < cols; first += kWidth) {
    const int col = first + threadIdx.x;
    if (threadIdx.y == 0 && col < cols) bias[threadIdx.x] = b[col];
    __syncthreads();
    if (col < cols) Y[row * cols + col] = X[row * cols + col] + bias[threadIdx.x];
    __syncthreads();
  }
}

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  const dim3 block(kWidth, 8);
  const dim3 grid((rows + block.y - 1) / block.y);
  bias_add_kernel<<<grid, block, 0, stream>>>(X, b, Y, rows, cols);
}
