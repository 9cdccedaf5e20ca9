// right: four tokens share a warp, eight lanes each; the butterfly has three steps.
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void softmax_kernel(const float* logits, float* probs, int T, int E) {
  const int t = blockIdx.x * 16 + threadIdx.x / 8, lane = threadIdx.x % 8;
  const bool exists = t < T;  // lanes of missing tokens stay for the shuffles
  float largest = -INFINITY, sum = 0.0f;
  if (exists) {
    for (int e = lane; e < E; e += 8) largest = fmaxf(largest, logits[t * E + e]);
  }
  for (int bit = 1; bit < 8; bit *= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, bit));
  }
  if (exists) {
    for (int e = lane; e < E; e += 8) sum += expf(logits[t * E + e] - largest);
  }
  for (int bit = 1; bit < 8; bit *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  if (exists) {
    for (int e = lane; e < E; e += 8) probs[t * E + e] = expf(logits[t * E + e] - largest) / sum;
  }
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  softmax_kernel<<<(T + 15) / 16, 128, 0, stream>>>(logits, probs, T, E);
}
