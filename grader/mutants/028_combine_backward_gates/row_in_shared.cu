// mistake: row-in-shared
// why: A row in shared memory: a launch gets no more than 48 KB of it unasked.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void combine_backward_gates_kernel(const float* dO, const float* Y, const int* sl,
                                              float* g, int D, int K) {
  extern __shared__ float o[];
  int t = blockIdx.x;
  for (int d = threadIdx.x; d < D; d += 32) o[d] = dO[t * D + d];
  __syncwarp();
  for (int j = 0; j < K; ++j) {
    float s = 0;
    for (int d = threadIdx.x; d < D; d += 32) s += o[d] * Y[sl[t * K + j] * D + d];
    for (int q = 16; q; q >>= 1) s += __shfl_xor_sync(~0u, s, q);
    if (threadIdx.x == 0) g[t * K + j] = s;
  }
}

}  // namespace

void combine_backward_gates(const float* dOut, const float* Ys, const int* sl, float* dg, int T,
                            int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  combine_backward_gates_kernel<<<T, 32, D * 4, stream>>>(dOut, Ys, sl, dg, D, K);
}
