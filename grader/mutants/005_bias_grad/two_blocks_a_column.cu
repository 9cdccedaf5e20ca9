// mistake: two-blocks
// why: Two blocks add to the same column, and nothing orders them.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

// Two blocks share every 32 columns, each with half of the rows, and both add to db.
constexpr int kWidth = 32;
constexpr int kHeight = 8;

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  __shared__ float partial[kHeight][kWidth];
  const int col = blockIdx.x * kWidth + threadIdx.x;
  float sum = 0.0f;
  if (col < cols) {
    for (int row = blockIdx.y * kHeight + threadIdx.y; row < rows; row += gridDim.y * kHeight) {
      sum += dY[row * cols + col];
    }
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && col < cols) {
    float total = 0.0f;
    for (int y = 0; y < kHeight; ++y) total += partial[y][threadIdx.x];
    db[col] += total;
  }
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 block(kWidth, kHeight);
  const dim3 grid((cols + kWidth - 1) / kWidth, 2);
  bias_grad_kernel<<<grid, block, 0, stream>>>(dY, db, rows, cols);
}
