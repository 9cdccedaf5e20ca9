// mistake: weights-in-shared
// why: All of Wg in shared memory: a launch gets no more than 48 KB of it unasked.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void router_logits_kernel(const float* X, const float* W, float* L, int T, int D,
                                     int E) {
  extern __shared__ float w[];  // the whole of Wg: 48 KB at most
  for (int i = threadIdx.x; i < D * E; i += blockDim.x) w[i] = W[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < T * E; i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int d = 0; d < D; ++d) s += X[i / E * D + d] * w[d * E + i % E];
    L[i] = s;
  }
}

}  // namespace

void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;
  router_logits_kernel<<<(T * E + 127) / 128, 128, D * E * 4, stream>>>(X, Wg, logits, T, D, E);
}
