// mistake: other-gate
// why: The forward function of the gradient, which ignores x altogether.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void relu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;

  for (; i < n; i += stride) {
    dx[i] = fmaxf(dy[i], 0.0f);
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
