// mistake: mask-names-absent-threads
// why: A shuffle whose mask names threads that the narrow block does not have.
// rejected-for: uninitialized_read,value
// rejected-on: cpu
#include <cmath>

#include "moe/kernels.h"

namespace {

// As many threads as columns, but the mask names all 32 of the warp.
__global__ void softmax_rows_kernel(const float* x, float* y, int cols) {
  const int i = blockIdx.x * cols + threadIdx.x;
  const bool wide = cols > 32;
  float largest = -INFINITY, sum = 0.0f;
  if (wide) {
    for (int c = 0; c < cols; ++c) largest = fmaxf(largest, x[blockIdx.x * cols + c]);
    for (int c = 0; c < cols; ++c) sum += expf(x[blockIdx.x * cols + c] - largest);
    for (int c = threadIdx.x; c < cols; c += 32) {
      y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - largest) / sum;
    }
    return;
  }
  largest = x[i];
  for (int step = 16; step > 0; step /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  sum = expf(x[i] - largest);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  y[i] = expf(x[i] - largest) / sum;
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  const int threads = cols > 32 ? 32 : cols;
  softmax_rows_kernel<<<rows, threads, 0, stream>>>(x, y, cols);
}
