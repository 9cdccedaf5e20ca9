// mistake: factors-in-half
// why: A factor is rounded to the 11 bits of a 16-bit float.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

// The nearest number with the 11 significant bits of a 16-bit float.
__device__ float in_half(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

__global__ void elementwise_multiply_kernel(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block may reach past the end
  out[i] = a[i] * in_half(b[i]);
}

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;  // a grid of 0 blocks is a launch error

  const int blocks = (n + kThreads - 1) / kThreads;  // rounded up: no element without a thread
  elementwise_multiply_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
}
