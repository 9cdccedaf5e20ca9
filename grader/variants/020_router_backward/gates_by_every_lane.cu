// right: a warp per token in a grid-stride loop; every lane sums the gates itself and keeps
// columns.
#include "moe/kernels.h"

namespace {

__global__ void row_kernel(const float* probs, const int* experts, const float* dgates,
                           const float* dprobs_aux, float* dlogits, int T, int E, int K) {
  const int lane = threadIdx.x % 32;
  const unsigned warps = gridDim.x * (blockDim.x / 32);
  for (unsigned t = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; t < unsigned(T);
       t += warps) {
    const float* p = probs + t * E;
    float sum = 0.0f, dot = 0.0f;
    for (int j = 0; j < K; ++j) {
      const float chosen = p[experts[t * K + j]];
      sum += chosen;
      dot = fmaf(dgates[t * K + j], chosen, dot);
    }
    dot /= sum;
    const auto gradient = [&](int e) {
      float d = dprobs_aux ? dprobs_aux[t * E + e] : 0.0f;
      for (int j = 0; j < K; ++j)
        if (experts[t * K + j] == e) d += (dgates[t * K + j] - dot) / sum;
      return d;
    };
    float m = 0.0f;
    for (int e = lane; e < E; e += 32) m += p[e] * gradient(e);
    for (int step = 16; step > 0; step /= 2) m += __shfl_xor_sync(0xffffffffu, m, step);
    for (int e = lane; e < E; e += 32) dlogits[t * E + e] = p[e] * (gradient(e) - m);
  }
}

}  // namespace

void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream) {
  if (T == 0) return;
  row_kernel<<<256, 128, 0, stream>>>(probs, experts, dgates, dprobs_aux, dlogits, T, E, K);
  matmul_tn(X, dlogits, dWg, D, E, T, stream);
  matmul_nt(dlogits, Wg, dX, T, D, E, stream);
}
