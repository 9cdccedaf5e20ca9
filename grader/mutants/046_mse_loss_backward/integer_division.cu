// mistake: integer-division
// why: 2 / n divides ints: 0 for every n above 2.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void mse_loss_backward_kernel(const float* y, const float* target, float* dy, int n,
                                         float scale) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) dy[i] = scale * (y[i] - target[i]);
}

}  // namespace

void mse_loss_backward(const float* y, const float* target, float* dy, int n, cudaStream_t stream) {
  if (n == 0) return;

  // The same for all elements, so computed once, here. In double: from 2^24 on a float cannot hold
  // every n.
  const float scale = static_cast<float>(2 / n);
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  mse_loss_backward_kernel<<<blocks, kThreads, 0, stream>>>(y, target, dy, n, scale);
}
