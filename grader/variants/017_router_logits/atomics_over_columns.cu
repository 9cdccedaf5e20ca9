// right: a thread per element of X, atomics on cleared logits.
#include "moe/kernels.h"
namespace {
__global__ void k(const float* X, const float* W, float* L, int T, int D, int E) {
  const long long n = (long long)T * D;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x) {
    const int t = int(i / D), d = int(i % D);
    for (int e = 0; e < E; ++e) atomicAdd(&L[(long long)t * E + e], X[i] * W[d * E + e]);
  }
}
}  // namespace
void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;
  cudaMemsetAsync(logits, 0, sizeof(float) * T * E, stream);
  k<<<64, 128, 0, stream>>>(X, Wg, logits, T, D, E);
}
