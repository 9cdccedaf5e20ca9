// right: a warp a column, its sum by shuffles.
#include "moe/kernels.h"

namespace {

__global__ void sum_column(const float* dY, float* db, int rows, int cols) {
  const int col = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (col >= cols) return;
  float sum = 0.0f;
  for (int r = threadIdx.x % 32; r < rows; r += 32) sum += dY[r * cols + col];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) db[col] += sum;
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  sum_column<<<(cols + 3) / 4, 128, 0, stream>>>(dY, db, rows, cols);
}
