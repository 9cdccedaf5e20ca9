// mistake: erf-form
// why: GELU by the error function: the tanh form differs by up to 4.7e-4.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu(float x) {
  return 0.5f * x * (1.0f + erff(0.70710678f * x));
}

__global__ void gelu_forward_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = gelu(x[i]);
}

}  // namespace

void gelu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int blocks = (n + kThreads - 1) / kThreads;
  gelu_forward_kernel<<<blocks, kThreads, 0, stream>>>(x, y, n);
}
