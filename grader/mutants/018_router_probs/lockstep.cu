// mistake: lockstep
// why: Lanes exchange values through shared memory and rely on running in lockstep.
// rejected-for: race
// rejected-on: cpu
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kLanes = 32;
constexpr int kTokens = 8;  // of a block: one a warp

// The warp's values meet in shared memory; nothing orders its lanes, as though they ran in
// lockstep.
__device__ float warp_total(float value, volatile float* place, bool largest) {
  const int lane = threadIdx.x;
  place[lane] = value;
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) {
      place[lane] =
          largest ? fmaxf(place[lane], place[lane + half]) : place[lane] + place[lane + half];
    }
  }
  return place[0];
}

__global__ void router_probs_kernel(const float* logits, float* probs, int T, int E) {
  __shared__ float places[kTokens][kLanes];
  // A block is 32 x 8: the thread's x is its lane, its y the warp. The 32 lanes of a warp have the
  // same token, so a warp without one leaves as a whole, and nobody waits for it.
  const int token = blockIdx.x * kTokens + threadIdx.y;
  if (token >= T) return;

  // From here on: this token's row.
  logits += token * E;
  probs += token * E;

  float largest = -INFINITY;
  for (int e = threadIdx.x; e < E; e += kLanes) largest = fmaxf(largest, logits[e]);
  largest = warp_total(largest, places[threadIdx.y], true);

  float sum = 0.0f;
  for (int e = threadIdx.x; e < E; e += kLanes) sum += expf(logits[e] - largest);
  sum = warp_total(sum, places[threadIdx.y], false);

  for (int e = threadIdx.x; e < E; e += kLanes) probs[e] = expf(logits[e] - largest) / sum;
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  const dim3 block(kLanes, kTokens);
  const dim3 grid((T + kTokens - 1) / kTokens);
  router_probs_kernel<<<grid, block, 0, stream>>>(logits, probs, T, E);
}
