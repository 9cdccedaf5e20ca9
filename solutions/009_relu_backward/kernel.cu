// 009 relu_backward: dx[i] = dy[i] where x[i] > 0, else 0; in a grid-stride loop.
//
// x, dy, dx [n] are float arrays in device memory. They do not overlap. n may be 0. Where x is not
// above 0, dx is 0 whatever dy is: infinite or NaN; likewise where x itself is NaN.
#include "moe/kernels.h"

namespace {

__global__ void relu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;

  for (; i < n; i += stride) {
    // A select: both candidates are at hand and each thread keeps one. A product with 0 or 1 would
    // not do, since 0 times infinity is NaN.
    const float above = dy[i];
    dx[i] = x[i] > 0.0f ? above : 0.0f;
  }
}

}  // namespace

void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  if (n == 0) return;

  // At most 1,024 blocks: beyond 262,144 elements the threads walk.
  const int threads = 256;
  const int needed = (n + threads - 1) / threads;
  const int blocks = needed < 1024 ? needed : 1024;
  relu_backward_kernel<<<blocks, threads, 0, stream>>>(x, dy, dx, n);
}
