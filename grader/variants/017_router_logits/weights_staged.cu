// right: Wg in shared memory, a warp a token, sums by shuffles.
#include "moe/kernels.h"
namespace {
constexpr int kD = 128;
__global__ void k(const float* X, const float* W, float* L, int T, int D, int E) {
  __shared__ float w[8][kD + 1];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int t = blockIdx.x * 8 + warp;
  for (int e0 = 0; e0 < E; e0 += 8) {
    float acc[8] = {};
    for (int d0 = 0; d0 < D; d0 += kD) {
      for (int i = threadIdx.x; i < 8 * kD; i += blockDim.x) {
        const int d = i / 8, e = i % 8;
        w[e][d] = d0 + d < D && e0 + e < E ? W[(d0 + d) * E + e0 + e] : 0.0f;
      }
      __syncthreads();
      if (t < T)
        for (int d = lane; d < kD && d0 + d < D; d += 32) {
          const float x = X[(long long)t * D + d0 + d];
#pragma unroll
          for (int e = 0; e < 8; ++e) acc[e] = fmaf(x, w[e][d], acc[e]);
        }
      __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      for (int o = 16; o; o /= 2) acc[e] += __shfl_xor_sync(0xffffffffu, acc[e], o);
      if (lane == 0 && t < T && e0 + e < E) L[t * E + e0 + e] = acc[e];
    }
  }
}
}  // namespace
void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;
  k<<<(T + 7) / 8, 256, 0, stream>>>(X, Wg, logits, T, D, E);
}
