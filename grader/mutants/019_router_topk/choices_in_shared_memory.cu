// mistake: read-back-unordered
// why: One lane writes the choices to shared memory; others read them without a __syncwarp.
// rejected-for: race,value
// rejected-on: cpu
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
  __shared__ Candidate choices[8][16];
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= T) return;
  const int lane = threadIdx.x;
  Candidate last = {INFINITY, -1};
  float sum = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    last = warp_first(first_after(last, probs + token * E, E));
    sum += last.prob;
    if (lane == 0) choices[threadIdx.y][choice] = last;
  }
  if (lane < K) {
    experts[token * K + lane] = choices[threadIdx.y][lane].expert;
    gates[token * K + lane] = choices[threadIdx.y][lane].prob / sum;
  }
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;
  router_topk_kernel<<<(T + 7) / 8, dim3(32, 8), 0, stream>>>(probs, experts, gates, T, E, K);
}
