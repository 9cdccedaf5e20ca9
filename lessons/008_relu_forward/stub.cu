// 008 relu_forward: y[i] = x[i] where x[i] is not below 0, else 0; four elements a thread.
//
// x, y [n] are float arrays in device memory, aligned to 4 bytes and perhaps no better. They do not
// overlap. n may be 0. A NaN stays a NaN.
#include <cstdint>

#include "moe/kernels.h"

namespace {

__global__ void relu_forward_kernel(const float* x, float* y, int n, int groups) {
  // TODO(1): the stride of the grid and this thread's first number, in 64 bits (006).
  // END TODO(1)

  // TODO(2): `groups` groups of four, in a grid-stride loop: load a float4, treat its four parts,
  // store it.
  // END TODO(2)

  // TODO(3): the elements that the groups leave, one by one, in a grid-stride loop as well.
  // END TODO(3)
}

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  if (n == 0) return;

  // TODO(4): how many whole groups of four there are; none unless both addresses allow them.
  const int groups = 0;
  // END TODO(4)

  const int threads = 256;
  const int blocks = (n + 4 * threads - 1) / (4 * threads);
  relu_forward_kernel<<<blocks, threads, 0, stream>>>(x, y, n, groups);
}
