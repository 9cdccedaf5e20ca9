// mistake: no-rate
// why: A step of the whole gradient, whatever lr is.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void sgd_update_kernel(float* w, const float* g, int n, float lr) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  // A product and a difference. The compiler may fuse them, and then the product is not rounded.
  for (; i < n; i += stride) w[i] -= g[i];
}

}  // namespace

void sgd_update(float* w, const float* g, int n, float lr, cudaStream_t stream) {
  if (n == 0) return;

  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  sgd_update_kernel<<<blocks, kThreads, 0, stream>>>(w, g, n, lr);
}
