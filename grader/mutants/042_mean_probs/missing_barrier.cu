// mistake: missing-barrier
// why: The owners read partial sums that other warps may not have written.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 1024;

__global__ void mean_probs_kernel(const float* probs, float* means, int T, int E) {
  __shared__ float partial[kThreads];
  const int thread = threadIdx.x;

  // As many whole rows as fit: a stride that is a multiple of E keeps each thread on its column,
  // and neighbours on neighbouring floats. Of 1,024 threads fewer than E are idle.
  const int stride = kThreads / E * E;
  float sum = 0.0f;
  if (thread < stride) {
    for (int i = thread; i < T * E; i += stride) sum += probs[i];
  }

  partial[thread] = sum;

  // The column's owner: its partial sums are E places apart.
  if (thread < E) {
    float total = 0.0f;
    for (int i = thread; i < stride; i += E) total += partial[i];
    means[thread] = T > 0 ? total / static_cast<float>(T) : 0.0f;
  }
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  // No early return for no tokens: the means are still written.
  mean_probs_kernel<<<1, kThreads, 0, stream>>>(probs, means, T, E);
}
