// right: a block a column; its threads halve their number at each step until one sum is left.
#include "moe/kernels.h"

namespace {

__global__ void sum_column(const float* dY, float* db, int rows, int cols) {
  extern __shared__ float part[];
  float sum = 0.0f;
  for (int r = threadIdx.x; r < rows; r += blockDim.x) sum += dY[r * cols + blockIdx.x];
  part[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) db[blockIdx.x] += part[0];
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  sum_column<<<cols, 64, 64 * sizeof(float), stream>>>(dY, db, rows, cols);
}
