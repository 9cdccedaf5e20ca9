// 007 elementwise_multiply: out[i] = a[i] * b[i], one thread for each element.
//
// a, b, out [n] are float arrays in device memory. They may be the same array. n may be 0.
#include "moe/kernels.h"

// TODO(1): this code has 3 faults. Grade it, read the report, mend one, and grade again.
namespace {

constexpr int kThreads = 256;

__global__ void elementwise_multiply_kernel(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * b[i];
}

}  // namespace

void elementwise_multiply(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int blocks = n / kThreads;  // each block does kThreads elements
  elementwise_multiply_kernel<<<blocks, kThreads>>>(a, b, out, n);
}
// END TODO(1)
