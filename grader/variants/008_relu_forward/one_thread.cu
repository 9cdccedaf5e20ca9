// right: one thread does all.
#include "moe/kernels.h"

namespace {

__global__ void relu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = !(x[i] < 0) ? x[i] : 0;
}

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  relu<<<1, 1, 0, stream>>>(x, y, n);
}
