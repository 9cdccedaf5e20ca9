// mistake: unaligned-vector
// why: Two floats at a time need addresses that are multiples of 8 bytes.
// rejected-for: misaligned
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void elementwise_multiply_kernel(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < n) {
    const float2 x = reinterpret_cast<const float2*>(a)[i];
    const float2 y = reinterpret_cast<const float2*>(b)[i];
    reinterpret_cast<float2*>(out)[i] = make_float2(x.x * y.x, x.y * y.y);
  } else if (2 * i < n) {
    out[2 * i] = a[2 * i] * b[2 * i];
  }
}

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;  // a grid of 0 blocks is a launch error

  const int blocks = (n + kThreads - 1) / kThreads;  // rounded up: no element without a thread
  elementwise_multiply_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
}
