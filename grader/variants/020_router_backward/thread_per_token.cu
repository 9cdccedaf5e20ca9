// right: a thread per token, both products written out, dWg by atomics.
#include "moe/kernels.h"

namespace {

__global__ void backward_kernel(const float* X, const float* Wg, const float* probs,
                                const int* experts, const float* dgates, const float* dprobs_aux,
                                float* dlogits, float* dWg, float* dX, int T, int D, int E, int K) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= T) return;
  const float* p = probs + t * E;
  float* d = dlogits + t * E;

  float sum = 0.0f, weighted = 0.0f;
  for (int j = 0; j < K; ++j) {
    const float chosen = p[experts[t * K + j]];
    sum += chosen;
    weighted += dgates[t * K + j] * chosen;
  }
  const float mean = weighted / sum;
  // The task's part of the softmax's dot product is 0: only the auxiliary term has one.
  float dot = 0.0f;
  if (dprobs_aux)
    for (int e = 0; e < E; ++e) dot += p[e] * dprobs_aux[t * E + e];
  for (int e = 0; e < E; ++e) d[e] = dprobs_aux ? p[e] * (dprobs_aux[t * E + e] - dot) : 0.0f;
  for (int j = 0; j < K; ++j) {
    const int e = experts[t * K + j];
    d[e] += p[e] / sum * (dgates[t * K + j] - mean);
  }

  for (int i = 0; i < D; ++i) {
    float x = 0.0f;
    for (int e = 0; e < E; ++e) {
      x += d[e] * Wg[i * E + e];
      atomicAdd(&dWg[i * E + e], X[t * D + i] * d[e]);
    }
    dX[t * D + i] = x;
  }
}

}  // namespace

void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream) {
  if (T == 0) return;
  backward_kernel<<<(T + 127) / 128, 128, 0, stream>>>(X, Wg, probs, experts, dgates, dprobs_aux,
                                                       dlogits, dWg, dX, T, D, E, K);
}
