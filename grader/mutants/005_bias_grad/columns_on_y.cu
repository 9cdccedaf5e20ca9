// mistake: columns-on-y
// why: A block a column along y: more than 65,535 columns are not launched.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  const int col = blockIdx.y;
  if (col >= cols) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += dY[row * cols + col];
  db[col] += sum;
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  bias_grad_kernel<<<dim3(1, cols), 1, 0, stream>>>(dY, db, rows, cols);
}
