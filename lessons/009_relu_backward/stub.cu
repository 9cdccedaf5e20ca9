// 009 relu_backward: dx[i] = dy[i] where x[i] > 0, else 0; in a grid-stride loop.
//
// x, dy, dx [n] are float arrays in device memory. They do not overlap. n may be 0. Where x is not
// above 0, dx is 0 whatever dy is: infinite or NaN; likewise where x itself is NaN.
#include "moe/kernels.h"

namespace {

__global__ void relu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  // TODO(1): the stride of the grid and this thread's first element, in 64 bits (006).
  // END TODO(1)

  // TODO(2): walk; at each element load dy, and select it or 0 by x.
  // END TODO(2)
}

}  // namespace

void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  if (n == 0) return;

  // TODO(3): blocks of 256 threads: as many as the elements need, at most 1,024.
  relu_backward_kernel<<<1, 1, 0, stream>>>(x, dy, dx, n);
  // END TODO(3)
}
