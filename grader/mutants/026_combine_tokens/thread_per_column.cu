// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void combine_tokens_kernel(const float* Y, const int* sl, const float* g, float* o,
                                      int D, int K) {
  int t = blockIdx.x, d = threadIdx.x;
  float s = 0;
  for (int j = 0; j < K; ++j) s += g[t * K + j] * Y[sl[t * K + j] * D + d];
  o[t * D + d] = s;
}

}  // namespace

void combine_tokens(const float* Ys, const int* sl, const float* gates, float* out, int T, int D,
                    int K, cudaStream_t stream) {
  if (T == 0) return;
  combine_tokens_kernel<<<T, D, 0, stream>>>(Ys, sl, gates, out, D, K);
}

// Ordinary C++ on host memory. The gates of every token are at least 0 and sum to 1: whether each
// element of `out` lies between the smallest and the largest of the K elements that it mixes.
extern "C" bool check_combine_tokens(const float* Ys, const int* slot_of_pair, const float* out,
                                     int T, int D, int K) {
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < D; ++d) {
      float least = INFINITY, most = -INFINITY;
      for (int j = 0; j < K; ++j) {
        const float y = Ys[slot_of_pair[t * K + j] * D + d];
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
