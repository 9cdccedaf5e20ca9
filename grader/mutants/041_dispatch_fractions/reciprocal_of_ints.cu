// mistake: integer-division
// why: 1 / pairs is taken of ints: 0 for two pairs and more.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void dispatch_fractions_kernel(const int* counts, float* fractions, int pairs, int E) {
  const int expert = blockIdx.x * blockDim.x + threadIdx.x;
  if (expert >= E) return;

  // Two ints would divide as ints. And 0 / 0 would be NaN, and so would all that is computed from
  // it.
  const float count = static_cast<float>(counts[expert]);
  fractions[expert] = pairs > 0 ? count * static_cast<float>(1 / pairs) : 0.0f;
}

}  // namespace

void dispatch_fractions(const int* counts, float* fractions, int pairs, int E,
                        cudaStream_t stream) {
  // No early return: E is at least 1, and without pairs the shares are written all the same.
  const int blocks = (E + kThreads - 1) / kThreads;
  dispatch_fractions_kernel<<<blocks, kThreads, 0, stream>>>(counts, fractions, pairs, E);
}
