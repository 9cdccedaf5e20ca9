// mistake: check-deleted
// why: The exercise's own check is not in the file.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;  // of a block, whatever its shape

__global__ void combine_tokens_kernel(const float* Ys, const int* slot_of_pair, const float* gates,
                                      float* out, int T, int D, int K) {
  // A row of threads for each token, as in 004.
  const int t = blockIdx.x * blockDim.y + threadIdx.y;
  if (t >= T) return;

  // TODO(1): for each column of this thread, add up K products of a gate and an element of a row of
  // Ys; then write the sum.
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    float sum = 0.0f;
    for (int j = 0; j < K; ++j) {
      const int p = t * K + j;
      sum += gates[p] * Ys[slot_of_pair[p] * D + d];
    }
    out[t * D + d] = sum;
  }
  // END TODO(1)
}

}  // namespace

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  if (T == 0) return;

  // TODO(2): kThreads threads a block, as wide as the smallest power of two that is not below D, at
  // most kThreads; the rest is its height. And enough blocks for all tokens.
  int width = 1;
  while (width < D && width < kThreads) width *= 2;
  const dim3 block(width, kThreads / width);
  const int blocks = (T + block.y - 1) / block.y;
  combine_tokens_kernel<<<blocks, block, 0, stream>>>(Ys, slot_of_pair, gates, out, T, D, K);
  // END TODO(2)
}
