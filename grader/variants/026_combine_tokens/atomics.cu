// right: a thread for each pair and column adds to its token, atomically; a memset clears.
#include <algorithm>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void combine_tokens_kernel(const float* Ys, const int* slot_of_pair, const float* gates,
                                      float* out, int n, int D, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int p = i / D;
  const int d = i % D;
  atomicAdd(&out[p / K * D + d], gates[p] * Ys[slot_of_pair[p] * D + d]);
}

}  // namespace

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  const int n = T * K * D;
  cudaMemsetAsync(out, 0, sizeof(float) * static_cast<std::size_t>(T) * D, stream);
  combine_tokens_kernel<<<(n + 255) / 256, 256, 0, stream>>>(Ys, slot_of_pair, gates, out, n, D, K);
}

// Less room for rounding than the notes allow, in double precision.
extern "C" bool check_combine_tokens(const float* Ys, const int* slot_of_pair, const float* out,
                                     int T, int D, int K) {
  for (int i = 0; i < T * D; ++i) {
    double least = 1e300, most = -1e300, size = 0;
    for (int j = 0; j < K; ++j) {
      const double y = Ys[slot_of_pair[i / D * K + j] * D + i % D];
      least = std::min(least, y);
      most = std::max(most, y);
      size = std::max(size, std::abs(y));
    }
    if (std::isnan(out[i])) return false;
    if (out[i] < least - 4e-6 * size || out[i] > most + 4e-6 * size) return false;
  }
  return true;
}
