// mistake: row-in-shared
// why: A row in shared memory: a launch gets no more than 48 KB of it unasked.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void router_logits_kernel(const float* X, const float* W, float* L, int D) {
  extern __shared__ float x[];
  int t = blockIdx.x, e = threadIdx.x, E = blockDim.x;
  for (int d = e; d < D; d += E) x[d] = X[t * D + d];
  __syncthreads();
  float s = 0;
  for (int d = 0; d < D; ++d) s += x[d] * W[d * E + e];
  L[t * E + e] = s;
}

}  // namespace

void router_logits(const float* X, const float* Wg, float* l, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;
  router_logits_kernel<<<T, E, D * 4, stream>>>(X, Wg, l, D);
}
