// right: a block a row; its warps add their sums to one shared number by atomics.
#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_backward_kernel(const float* y, const float* dy, float* dx, int cols) {
  __shared__ float dot;
  if (threadIdx.x == 0) dot = 0.0f;
  __syncthreads();
  const size_t first = static_cast<size_t>(blockIdx.x) * cols;
  float part = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) part += y[first + c] * dy[first + c];
  for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(0xffffffffu, part, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&dot, part);
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    dx[first + c] = y[first + c] * (dy[first + c] - dot);
  }
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<rows, 96, 0, stream>>>(y, dy, dx, cols);
}
