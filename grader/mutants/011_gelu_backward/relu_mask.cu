// mistake: relu-mask
// why: The slope of ReLU.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu_slope(float x) {
  return x > 0.0f ? 1.0f : 0.0f;
}

__global__ void gelu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] = dy[i] * gelu_slope(x[i]);
}

}  // namespace

void gelu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int blocks = (n + kThreads - 1) / kThreads;
  gelu_backward_kernel<<<blocks, kThreads, 0, stream>>>(x, dy, dx, n);
}
