// mistake: missing-guard
// why: The threads of the last block past the end read and write there.
// rejected-for: out_of_bounds
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu(float x) {
  // From |x| of about 2e13 on the cube is infinite, which tanh takes for what it is: +-1.
  const float root = 0.79788456f;  // sqrt(2 / pi)
  const float u = root * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + tanhf(u));
}

__global__ void gelu_forward_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = gelu(x[i]);
}

}  // namespace

void gelu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int blocks = (n + kThreads - 1) / kThreads;
  gelu_forward_kernel<<<blocks, kThreads, 0, stream>>>(x, y, n);
}
