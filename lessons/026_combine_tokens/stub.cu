// 026 combine_tokens: out[t] = sum over j of gates[t,j] Ys[slot(t,j)], blocks as wide as a row
// asks for; and a check of it.
//
// Ys [P,D], gates [T,K] and out [T,D] are row-major float arrays, slot_of_pair [P] is an int array,
// all in device memory; P = T*K, and pair p = t*K + j. T may be 0; D and K are at least 1.
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
  // END TODO(1)
}

}  // namespace

void combine_tokens(const float* Ys, const int* slot_of_pair, const float* gates, float* out, int T,
                    int D, int K, cudaStream_t stream) {
  if (T == 0) return;

  // TODO(2): kThreads threads a block, as wide as the smallest power of two that is not below D, at
  // most kThreads; the rest is its height. And enough blocks for all tokens.
  combine_tokens_kernel<<<1, 1, 0, stream>>>(Ys, slot_of_pair, gates, out, T, D, K);
  // END TODO(2)
}

// Ordinary C++ on host memory. The gates of every token are at least 0 and sum to 1: whether each
// element of `out` lies between the smallest and the largest of the K elements that it mixes.
extern "C" bool check_combine_tokens(const float* Ys, const int* slot_of_pair, const float* out,
                                     int T, int D, int K) {
  // TODO(3): return false at the first element that lies outside, by more than 1e-5 of the largest
  // size among the K, which is for rounding; or that was never written and holds NaN.
  // END TODO(3)
  return true;
}
