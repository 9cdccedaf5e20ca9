// mistake: two-owners
// why: A block for each pair adds to its token: K blocks share each element.
// rejected-for: race
// rejected-on: cpu
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void clear_kernel(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.0f;
}

// A block for each pair.
__global__ void combine_tokens_kernel(const float* Ys, const int* slot_of_pair, const float* gates,
                                      float* out, int D, int K) {
  const int p = blockIdx.x;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    out[p / K * D + d] += gates[p] * Ys[slot_of_pair[p] * D + d];
  }
}

}  // namespace

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  clear_kernel<<<(T * D + 255) / 256, 256, 0, stream>>>(out, T * D);
  combine_tokens_kernel<<<T * K, 64, 0, stream>>>(Ys, slot_of_pair, gates, out, D, K);
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
