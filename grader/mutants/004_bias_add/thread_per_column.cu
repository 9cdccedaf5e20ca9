// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void bias_add_kernel(const float* x, const float* b, float* o, int c) {
  o[blockIdx.x * c + threadIdx.x] = x[blockIdx.x * c + threadIdx.x] + b[threadIdx.x];
}

}  // namespace

void bias_add(const float* x, const float* b, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  bias_add_kernel<<<rows, cols, 0, stream>>>(x, b, y, cols);
}
