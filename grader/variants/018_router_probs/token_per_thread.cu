// right: a thread a token, 64-bit grid-stride, exponentials kept in probs.
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void softmax_kernel(const float* logits, float* probs, int T, int E) {
  for (long t = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; t < T;
       t += static_cast<long>(gridDim.x) * blockDim.x) {
    const float* z = logits + t * E;
    float* p = probs + t * E;
    float largest = z[0], sum = 0.0f;
    for (int e = 1; e < E; ++e) largest = z[e] > largest ? z[e] : largest;
    for (int e = 0; e < E; ++e) sum += p[e] = exp2f((z[e] - largest) * 1.44269504f);
    for (int e = 0; e < E; ++e) p[e] /= sum;
  }
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  const int blocks = T > 4096 ? 64 : (T + 63) / 64;
  softmax_kernel<<<blocks, 64, 0, stream>>>(logits, probs, T, E);
}
