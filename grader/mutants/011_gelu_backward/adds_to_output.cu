// mistake: adds-to-output
// why: dx is overwritten, not added to.
// rejected-for: value,uninitialized_read
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

// With t = tanh(u(x)):  slope = (1 + t) / 2 + x/2 (1 - t^2) u'(x)
__device__ float gelu_slope(float x) {
  const float root = 0.79788456f;  // sqrt(2 / pi)
  const float u = root * (x + 0.044715f * x * x * x);
  const float du = root * (1.0f + 3.0f * 0.044715f * x * x);
  const float t = tanhf(u);
  // Far out 1 - t^2 is exactly 0, and 0 times the large but finite du is 0.
  return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du;
}

__global__ void gelu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  dx[i] += dy[i] * gelu_slope(x[i]);
}

}  // namespace

void gelu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int blocks = (n + kThreads - 1) / kThreads;
  gelu_backward_kernel<<<blocks, kThreads, 0, stream>>>(x, dy, dx, n);
}
