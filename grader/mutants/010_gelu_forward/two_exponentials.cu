// mistake: infinity-over-infinity
// why: Both exponentials far out: infinity over infinity is NaN on either side.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__device__ float gelu(float x) {
  // From |x| of about 2e13 on the cube is infinite, which tanh takes for what it is: +-1.
  const float root = 0.79788456f;  // sqrt(2 / pi)
  const float u = root * (x + 0.044715f * x * x * x);
  const float up = expf(u), down = expf(-u);
  return 0.5f * x * (1.0f + (up - down) / (up + down));
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
