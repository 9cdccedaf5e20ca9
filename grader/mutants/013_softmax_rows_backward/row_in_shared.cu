// mistake: row-in-shared
// why: A row in shared memory: a launch gets no more than 48 KB of it unasked.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_backward_kernel(const float* y, const float* dy, float* dx, int cols) {
  extern __shared__ float row[];
  __shared__ float w[8];
  int r = blockIdx.x;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 256) {
    row[c] = dy[r * cols + c];
    s += y[r * cols + c] * row[c];
  }
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0;
  for (int i = 0; i < 8; ++i) s += w[i];
  for (int c = threadIdx.x; c < cols; c += 256) dx[r * cols + c] = y[r * cols + c] * (row[c] - s);
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<rows, 256, cols * 4, stream>>>(y, dy, dx, cols);
}
