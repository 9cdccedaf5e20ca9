// 018 router_probs: the softmax of each token's logits, a warp for each token, eight tokens a
// block.
//
// logits and probs [T,E] are row-major float arrays in device memory. A logit may be -inf, not all
// of a token's. T may be 0; E is at least 1.
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kLanes = 32;
constexpr int kTokens = 8;  // of a block: one a warp
constexpr unsigned kAllLanes = 0xffffffffu;

// The largest of the values that the lanes of a warp pass in; every lane gets it. All 32 lanes must
// call this together.
__device__ float warp_max(float value) {
  // TODO(1): five steps: each lane meets the lane whose number differs from its own in one bit.
  // END TODO(1)
  return value;
}

// The sum of the values, in the same way; every lane gets it.
__device__ float warp_sum(float value) {
  // TODO(2): the same five steps with another operation.
  // END TODO(2)
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

  // TODO(3): the largest logit: of this lane's experts first, then of the warp.
  // END TODO(3)

  // TODO(4): the sum of the exponentials, in the same two stages.
  // END TODO(4)

  // TODO(5): this lane's probabilities.
  // END TODO(5)
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  const dim3 block(kLanes, kTokens);
  const dim3 grid((T + kTokens - 1) / kTokens);
  router_probs_kernel<<<grid, block, 0, stream>>>(logits, probs, T, E);
}
