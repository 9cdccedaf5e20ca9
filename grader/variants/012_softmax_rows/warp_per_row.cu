// right: a warp a row, four warps a block, fast exponentials, y as scratch for them.
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_kernel(const float* __restrict__ x, float* __restrict__ y, int rows,
                                    int cols) {
  const int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  const int first = row * cols;
  float largest = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, x[first + c]);
  for (int step = 16; step > 0; step /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 32) sum += y[first + c] = __expf(x[first + c] - largest);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = threadIdx.x; c < cols; c += 32) y[first + c] = __fdividef(y[first + c], sum);
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<(rows + 3) / 4, dim3(32, 4), 0, stream>>>(x, y, rows, cols);
}
