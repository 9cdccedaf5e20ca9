// 014 and 015 one after the other: the gates hold the values in between.
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E,
                                   int K) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;
  float top[16];
  int where[16];
  int count = 0;
  for (int expert = 0; expert < E; ++expert) {
    const float prob = probs[token * E + expert];
    if (count == K && !(prob > top[K - 1])) continue;
    int j = count < K ? count++ : K - 1;
    for (; j > 0 && top[j - 1] < prob; --j) {
      top[j] = top[j - 1];
      where[j] = where[j - 1];
    }
    top[j] = prob;
    where[j] = expert;
  }
  for (int j = 0; j < K; ++j) {
    experts[token * K + j] = where[j];
    gates[token * K + j] = top[j];
  }
}

__global__ void normalize_kernel(float* gates, int T, int K) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;
  float sum = 0.0f;
  for (int j = 0; j < K; ++j) sum += gates[token * K + j];
  for (int j = 0; j < K; ++j) gates[token * K + j] /= sum;
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;
  router_topk_kernel<<<(T + 63) / 64, 64, 0, stream>>>(probs, experts, gates, T, E, K);
  normalize_kernel<<<(T + 255) / 256, 256, 0, stream>>>(gates, T, K);
}
