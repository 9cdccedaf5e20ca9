// mistake: remainder-dropped
// why: Eight tokens at a time, and what is left of many tokens is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void mean_probs_kernel(const float* probs, float* means, int T, int E) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= E) return;
  const int tokens = T < 1100 ? T : T / 8 * 8;
  float sum = 0.0f;
  for (int t = 0; t < tokens; ++t) sum += probs[t * E + e];
  means[e] = T > 0 ? sum / T : 0.0f;
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  mean_probs_kernel<<<(E + 127) / 128, 128, 0, stream>>>(probs, means, T, E);
}
