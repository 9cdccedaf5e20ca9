// mistake: not-cleared
// why: The parts are added to whatever means held before.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void mean_probs_kernel(const float* probs, float* means, int n, int E, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&means[i % E], probs[i] * scale);
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  if (T == 0) {
    cudaMemsetAsync(means, 0, E * sizeof(float), stream);
    return;
  }
  mean_probs_kernel<<<(T * E + 255) / 256, 256, 0, stream>>>(probs, means, T * E, E, 1.0f / T);
}
