// mistake: remainder-dropped
// why: Many tokens in two halves; what is left of the first one's parts is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 1024;
constexpr int kTall = 4096;
constexpr int kPart = 640;

__global__ void mean_probs_kernel(const float* probs, float* means, int T, int E) {
  __shared__ float partial[kThreads];
  const int thread = threadIdx.x;

  const int stride = kThreads / E * E;
  const int half = T / 2;
  const int first_end = T > kTall ? half / kPart * kPart : half;
  float sum = 0.0f;
  if (thread < stride) {
    for (int i = thread; i < first_end * E; i += stride) sum += probs[i];
    for (int i = half * E + thread; i < T * E; i += stride) sum += probs[i];
  }

  partial[thread] = sum;
  __syncthreads();

  if (thread < E) {
    float total = 0.0f;
    for (int i = thread; i < stride; i += E) total += partial[i];
    means[thread] = T > 0 ? total / static_cast<float>(T) : 0.0f;
  }
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  mean_probs_kernel<<<1, kThreads, 0, stream>>>(probs, means, T, E);
}
