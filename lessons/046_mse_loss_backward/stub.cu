// 046 mse_loss_backward: dy[i] = 2 (y[i] - target[i]) / n, the factor computed once on the host.
//
// y, target and dy [n] are float arrays in device memory. n may be 0.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void mse_loss_backward_kernel(const float* y, const float* target, float* dy, int n,
                                         float scale) {
  // TODO(1): walk over the elements as in 006, and write each gradient: one subtraction, one
  // multiplication.
  // END TODO(1)
}

}  // namespace

void mse_loss_backward(const float* y, const float* target, float* dy, int n, cudaStream_t stream) {
  if (n == 0) return;

  // TODO(2): the factor that all elements share: 2 / n, computed once, here on the host. Divide in
  // double (2 / n with two ints is 0 for every n above 2), then round to float.
  const float scale = 0.0f;
  // END TODO(2)
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  mse_loss_backward_kernel<<<blocks, kThreads, 0, stream>>>(y, target, dy, n, scale);
}
