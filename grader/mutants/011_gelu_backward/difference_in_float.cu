// mistake: difference-in-float
// why: A central difference of floats cancels: three or four digits are left.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

__device__ float gelu_slope(float x) {
  const float h = 1e-3f;
  return (gelu(x + h) - gelu(x - h)) / (2.0f * h);
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
