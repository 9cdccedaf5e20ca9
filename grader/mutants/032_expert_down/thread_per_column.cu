// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_down_kernel(const float* A, const float* W, const int* off, float* Y, int E,
                                   int H, int D) {
  extern __shared__ float a[];
  int r = blockIdx.x, d = threadIdx.x, e = 0;
  while (off[e + 1] <= r) ++e;
  for (int h = d; h < H; h += D) a[h] = A[r * H + h];
  __syncthreads();
  float s = 0;
  for (int h = 0; h < H; ++h) s += a[h] * W[(e * H + h) * D + d];
  Y[r * D + d] = s;
}

}  // namespace

void expert_down(const float* A, const float* W2, const int* off, float* Ys, int P, int E, int H,
                 int D, cudaStream_t stream) {
  if (P == 0) return;
  expert_down_kernel<<<P, D, H * 4, stream>>>(A, W2, off, Ys, E, H, D);
}
