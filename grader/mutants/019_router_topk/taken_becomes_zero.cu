// mistake: taken-becomes-zero
// why: A probability taken and replaced by 0 ties with the zeros of a saturated softmax.
// rejected-for: value
// rejected-on: both
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E,
                                   int K) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;
  float sum = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    float most = -1.0f;
    int best = 0;
    for (int expert = 0; expert < E; ++expert) {
      float prob = probs[token * E + expert];
      for (int j = 0; j < choice; ++j) {
        if (experts[token * K + j] == expert) prob = 0.0f;
      }
      if (prob > most) {
        most = prob;
        best = expert;
      }
    }
    sum += most;
    experts[token * K + choice] = best;
    gates[token * K + choice] = most;
  }
  for (int j = 0; j < K; ++j) gates[token * K + j] /= sum;
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;
  router_topk_kernel<<<(T + 63) / 64, 64, 0, stream>>>(probs, experts, gates, T, E, K);
}
