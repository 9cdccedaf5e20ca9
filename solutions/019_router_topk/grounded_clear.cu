// The grounded router, clear: a thread a token, and nothing kept but the two best so far.
#include <cmath>

#include "moe/examples.h"

namespace {

__global__ void grounded_kernel(const float* logits, const float* X, const float* G, float alpha,
                                float* out, int T, int D, int E) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;

  float best[2] = {-INFINITY, -INFINITY};
  int expert[2] = {-1, -1};
  for (int e = 0; e < E; ++e) {
    float dot = 0.0f;
    for (int d = 0; d < D; ++d) dot += X[token * D + d] * G[e * D + d];
    const float score = logits[token * E + e] + alpha * dot;
    // Only a larger score takes a place from a lower expert.
    if (expert[0] < 0 || score > best[0]) {
      best[1] = best[0];
      expert[1] = expert[0];
      best[0] = score;
      expert[0] = e;
    } else if (expert[1] < 0 || score > best[1]) {
      best[1] = score;
      expert[1] = e;
    }
  }

  // The softmax of two numbers, the larger one first.
  const float second = best[0] == best[1] ? 1.0f : expf(best[1] - best[0]);
  float* const row = out + token * 4;
  row[0] = static_cast<float>(expert[0]);
  row[1] = 1.0f / (1.0f + second);
  row[2] = static_cast<float>(expert[1]);
  row[3] = second / (1.0f + second);
}

}  // namespace

void grounded_router(const float* logits, const float* X, const float* G, float alpha, float* out,
                     int T, int D, int E, cudaStream_t stream) {
  if (T == 0) return;
  constexpr int kThreads = 256;
  grounded_kernel<<<(T + kThreads - 1) / kThreads, kThreads, 0, stream>>>(logits, X, G, alpha, out,
                                                                          T, D, E);
}
