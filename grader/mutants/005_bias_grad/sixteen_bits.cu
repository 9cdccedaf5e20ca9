// mistake: sixteen-bits
// why: Rows are numbered in 16 bits, so row 65,536 is taken for row 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // columns of a block
constexpr int kHeight = 8;  // threads that share a column

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  // One array for the whole block: all its threads can read and write it.
  __shared__ float partial[kHeight][kWidth];

  const int col = blockIdx.x * kWidth + threadIdx.x;
  // Threads past the last column stay: every thread of the block must reach the barrier.
  float sum = 0.0f;
  if (col < cols) {
    for (int row = threadIdx.y; row < rows; row += kHeight) sum += dY[(row & 65535) * cols + col];
  }

  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();

  // The column's owner: one thread does the `+=`.
  if (threadIdx.y == 0 && col < cols) {
    float total = 0.0f;
    for (int y = 0; y < kHeight; ++y) total += partial[y][threadIdx.x];
    db[col] += total;
  }
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 block(kWidth, kHeight);
  const dim3 grid((cols + kWidth - 1) / kWidth);
  bias_grad_kernel<<<grid, block, 0, stream>>>(dY, db, rows, cols);
}
