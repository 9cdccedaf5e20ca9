// mistake: quick-form
// why: The sigmoid of 1.702 x is a rougher stand-in for the gate.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu(float x) {
  return x / (1.0f + expf(-1.702f * x));
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
