// mistake: choice-by-choice
// why: Takes pair j*T + t for pair t*K + j.
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

  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    float sum = 0.0f;
    for (int j = 0; j < K; ++j) {
      const int p = j * T + t;
      sum += gates[p] * Ys[slot_of_pair[p] * D + d];
    }
    out[t * D + d] = sum;
  }
}

}  // namespace

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  if (T == 0) return;

  int width = 1;
  while (width < D && width < kThreads) width *= 2;
  const dim3 block(width, kThreads / width);
  const int blocks = (T + block.y - 1) / block.y;
  combine_tokens_kernel<<<blocks, block, 0, stream>>>(Ys, slot_of_pair, gates, out, T, D, K);
}

// Ordinary C++ on host memory. The gates of every token are at least 0 and sum to 1: whether each
// element of `out` lies between the smallest and the largest of the K elements that it mixes.
extern "C" bool check_combine_tokens(const float* Ys, const int* slot_of_pair, const float* out,
                                     int T, int D, int K) {
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < D; ++d) {
      float least = INFINITY, most = -INFINITY;
      for (int j = 0; j < K; ++j) {
        const float y = Ys[slot_of_pair[j * T + t] * D + d];
        least = std::fmin(least, y);
        most = std::fmax(most, y);
      }
      const float slack = 1e-5f * std::fmax(std::fabs(least), std::fabs(most));
      const float mixed = out[t * D + d];
      if (!(least - slack <= mixed && mixed <= most + slack)) return false;  // so for NaN, too
    }
  }
  return true;
}
