// mistake: remainder-dropped
// why: Eight rows at a time, and what is left of many rows is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float s = 0;
  int r = 0;
  if (rows >= 300)
    for (; r + 7 < rows; r += 8)
      for (int j = 0; j < 8; ++j) s += dY[(r + j) * cols + c];
  else
    for (; r < rows; ++r) s += dY[r * cols + c];
  db[c] += s;
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  bias_grad_kernel<<<(cols + 255) / 256, 256, 0, stream>>>(dY, db, rows, cols);
}
