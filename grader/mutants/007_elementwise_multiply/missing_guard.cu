// mistake: missing-guard
// why: The threads of the last block past the end read and write there.
// rejected-for: out_of_bounds
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void elementwise_multiply_kernel(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * b[i];
}

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;  // a grid of 0 blocks is a launch error

  const int blocks = (n + kThreads - 1) / kThreads;  // rounded up: no element without a thread
  elementwise_multiply_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
}
