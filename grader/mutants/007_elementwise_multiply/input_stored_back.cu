// mistake: input-stored-back
// why: Stores into an input, though only the value that is there.
// rejected-for: input_written
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void multiply_kernel(const float* a, volatile float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float factor = b[i];
  out[i] = a[i] * factor;
  b[i] = factor;
}

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;
  multiply_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, const_cast<float*>(b), out, n);
}
