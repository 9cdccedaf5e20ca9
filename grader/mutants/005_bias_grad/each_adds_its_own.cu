// mistake: all-add
// why: Each thread adds its own partial sum to db, in no order.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // columns of a block
constexpr int kHeight = 8;  // threads that share a column

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  const int col = blockIdx.x * kWidth + threadIdx.x;

  // Threads past the last column stay: every thread of the block must reach the barrier.
  float sum = 0.0f;
  if (col < cols) {
    for (int row = threadIdx.y; row < rows; row += kHeight) sum += dY[row * cols + col];
  }

  if (col < cols) db[col] += sum;
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 block(kWidth, kHeight);
  const dim3 grid((cols + kWidth - 1) / kWidth);
  bias_grad_kernel<<<grid, block, 0, stream>>>(dY, db, rows, cols);
}
