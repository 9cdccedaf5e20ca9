// mistake: plain-add
// why: A thread per token adds to the means without an atomic.
// rejected-for: race
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void mean_probs_kernel(const float* probs, float* means, int T, int E) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;
  for (int e = 0; e < E; ++e) means[e] += probs[token * E + e] / T;
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  cudaMemsetAsync(means, 0, E * sizeof(float), stream);
  if (T == 0) return;
  mean_probs_kernel<<<(T + 255) / 256, 256, 0, stream>>>(probs, means, T, E);
}
