// 026 combine_tokens, fast: as 025, with gates: four elements a thread, K loads of 16 bytes for one
// store. The exercise's check, host code, is the clear file's.
#include <cmath>

#include "../fast/sum_of_slots.h"
#include "moe/kernels.h"

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  fast::sum_of_slots<true>(Ys, slot_of_pair, gates, out, T, D, K, stream);
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
