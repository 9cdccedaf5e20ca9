// mistake: two-blocks
// why: From 1,025 rows on, several blocks share a column and add to it at once.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int chunk = (rows + gridDim.y - 1) / gridDim.y;
  float s = 0;
  for (int r = blockIdx.y * chunk; r < min(rows, (int)(blockIdx.y + 1) * chunk); ++r)
    s += dY[r * cols + c];
  if (s != 0) db[c] += s;
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  bias_grad_kernel<<<dim3((cols + 255) / 256, (rows + 1023) / 1024), 256, 0, stream>>>(dY, db, rows,
                                                                                       cols);
}
