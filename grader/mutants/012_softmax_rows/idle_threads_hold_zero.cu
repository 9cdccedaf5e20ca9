// mistake: zero-start
// why: Of a narrow row the idle threads of the warp pass in 0 as their maximum.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

// A warp a row; the threads past the last column hold 0, which then is the largest of a row below
// 0.
__global__ void softmax_rows_kernel(const float* x, float* y, int rows, int cols) {
  const int row = blockIdx.x;
  const int lane = threadIdx.x;
  float largest = 0.0f;
  for (int c = lane; c < cols; c += 32) {
    largest = c == lane ? x[row * cols + c] : fmaxf(largest, x[row * cols + c]);
  }
  for (int step = 16; step > 0; step /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += expf(x[row * cols + c] - largest);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int c = lane; c < cols; c += 32) {
    y[row * cols + c] = expf(x[row * cols + c] - largest) / sum;
  }
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<rows, 32, 0, stream>>>(x, y, rows, cols);
}
