// mistake: off-by-one
// why: The butterfly of the sum starts at 8 and leaves two halves apart.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kLanes = 32;
constexpr int kTokens = 8;  // of a block: one a warp
constexpr unsigned kAllLanes = 0xffffffffu;

// The largest of the values that the lanes of a warp pass in; every lane gets it. All 32 lanes must
// call this together.
__device__ float warp_max(float value) {
  // Each lane meets the lane whose number differs in one bit, for each of the five bits.
  for (int bit = 16; bit > 0; bit /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, bit));
  }
  return value;
}

// The sum of the values, in the same way; every lane gets it.
__device__ float warp_sum(float value) {
  for (int bit = 8; bit > 0; bit /= 2) value += __shfl_xor_sync(kAllLanes, value, bit);
  return value;
}

__global__ void router_probs_kernel(const float* logits, float* probs, int T, int E) {
  // A block is 32 x 8: the thread's x is its lane, its y the warp. The 32 lanes of a warp have the
  // same token, so a warp without one leaves as a whole, and nobody waits for it.
  const int token = blockIdx.x * kTokens + threadIdx.y;
  if (token >= T) return;

  // From here on: this token's row.
  logits += token * E;
  probs += token * E;

  float largest = -INFINITY;
  for (int e = threadIdx.x; e < E; e += kLanes) largest = fmaxf(largest, logits[e]);
  largest = warp_max(largest);

  float sum = 0.0f;
  for (int e = threadIdx.x; e < E; e += kLanes) sum += expf(logits[e] - largest);
  sum = warp_sum(sum);

  for (int e = threadIdx.x; e < E; e += kLanes) probs[e] = expf(logits[e] - largest) / sum;
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  const dim3 block(kLanes, kTokens);
  const dim3 grid((T + kTokens - 1) / kTokens);
  router_probs_kernel<<<grid, block, 0, stream>>>(logits, probs, T, E);
}
