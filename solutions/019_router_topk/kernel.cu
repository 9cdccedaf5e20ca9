// 019 router_topk: each token's K most probable experts, and their probabilities divided by the sum
// of these K: 014 and 015 in one kernel.
//
// probs [T,E], experts and gates [T,K] are row-major arrays in device memory. T may be 0;
// 1 <= E <= 1024, 1 <= K <= E and K <= 16. A warp a token; of its lanes, lane j keeps choice j.
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffff;

// A probability and the expert that it belongs to.
struct Candidate {
  float prob;
  int expert;
};

// The order of 014: the larger probability first, of equal ones the lower expert.
__device__ bool before(Candidate a, Candidate b) {
  return a.prob > b.prob || (a.prob == b.prob && a.expert < b.expert);
}

// You wrote this in 014: the first of this lane's experts that come strictly after `last`.
__device__ Candidate first_after(Candidate last, const float* token_probs, int E) {
  Candidate first = {-INFINITY, INT_MAX};
  for (int expert = threadIdx.x; expert < E; expert += kLanes) {
    const Candidate candidate = {token_probs[expert], expert};
    if (before(last, candidate) && before(candidate, first)) first = candidate;
  }
  return first;
}

// The first of 32 lanes' candidates, in every lane.
__device__ Candidate warp_first(Candidate mine) {
  for (int bit = kLanes / 2; bit > 0; bit /= 2) {
    const Candidate other = {__shfl_xor_sync(kAllLanes, mine.prob, bit),
                             __shfl_xor_sync(kAllLanes, mine.expert, bit)};
    if (before(other, mine)) mine = other;
  }
  return mine;
}

__global__ void router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E,
                                   int K) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= T) return;  // all 32 lanes of the warp

  const int lane = threadIdx.x;
  Candidate last = {INFINITY, -1};  // before every expert
  Candidate kept = last;
  float sum = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    last = warp_first(first_after(last, probs + token * E, E));
    sum += last.prob;
    if (lane == choice) kept = last;
  }

  if (lane < K) {
    // A row of NaN has no first; what comes next takes this for an index all the same.
    experts[token * K + lane] = min(kept.expert, E - 1);
    gates[token * K + lane] = kept.prob / sum;
  }
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;

  const dim3 block(kLanes, 8);
  const dim3 grid((T + block.y - 1) / block.y);
  router_topk_kernel<<<grid, block, 0, stream>>>(probs, experts, gates, T, E, K);
}
