// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void softmax_rows_kernel(const float* x, float* y, int cols) {
  extern __shared__ float v[];
  int c = threadIdx.x;
  v[c] = x[blockIdx.x * cols + c];
  __syncthreads();
  float m = v[0], s = 0;
  for (int j = 1; j < cols; ++j) m = fmaxf(m, v[j]);
  for (int j = 0; j < cols; ++j) s += expf(v[j] - m);
  y[blockIdx.x * cols + c] = expf(v[c] - m) / s;
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_kernel<<<rows, cols, cols * 4, stream>>>(x, y, cols);
}
