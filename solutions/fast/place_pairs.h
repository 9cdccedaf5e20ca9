// Pairs to slots, in order: the pairs of each expert take its slots one after the other.
//
// A block goes over its pairs in rounds. In a round each warp has neighbours, and ranks 32 of them
// at a time with one __match_any_sync; the warps' counts then say where each warp's pairs begin.
#pragma once

#include "warp.h"

namespace fast {

constexpr int kPlaceThreads = 256;
constexpr int kPlaceWarps = kPlaceThreads / 32;
constexpr int kNobody = -1;

// The expert of pair p, read past the end as nobody's.
__device__ inline int expert_at(const int* experts, int p, int end) {
  return p < end ? experts[p] : kNobody;
}

// Pairs begin .. end - 1 of `experts`, by a block of kPlaceThreads, kSteps of a thread in a round.
// next: the slot of each expert's next pair; left behind the last. counts: room for a round. Both
// in shared memory; `next` may have been written without a barrier since.
template <int kSteps, int kMostExperts>
__device__ void place_pairs(const int* experts, int begin, int end, int E, int* next,
                            int (&counts)[kPlaceWarps][kMostExperts], int* slot_of_pair,
                            int* pair_of_slot) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const unsigned lower_lanes = (1u << lane) - 1;
  const int pairs = end - begin;
  for (int first = 0; first < pairs; first += kPlaceThreads * kSteps) {
    for (int e = threadIdx.x; e < E; e += kPlaceThreads) {
      for (int w = 0; w < kPlaceWarps; ++w) counts[w][e] = 0;
    }
    __syncthreads();

    // A warp's pairs are neighbours: its rank of a pair is the rank among those of the whole warp.
    const int warp_first = first + warp * 32 * kSteps;
    int expert[kSteps];
    int rank[kSteps];
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      expert[i] = expert_at(experts + begin, warp_first + i * 32 + lane, pairs);
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      const unsigned peers = __match_any_sync(kAllLanes, expert[i]);
      const int before = expert[i] != kNobody ? counts[warp][expert[i]] : 0;
      rank[i] = before + __popc(peers & lower_lanes);
      __syncwarp();  // all peers have read the count that the first of them changes
      if (expert[i] != kNobody && (peers & lower_lanes) == 0) {
        counts[warp][expert[i]] = before + __popc(peers);
      }
      __syncwarp();
    }
    __syncthreads();

    // From the warps' counts to the slots at which they begin.
    for (int e = threadIdx.x; e < E; e += kPlaceThreads) {
      int slot = next[e];
#pragma unroll
      for (int w = 0; w < kPlaceWarps; ++w) {
        const int count = counts[w][e];
        counts[w][e] = slot;
        slot += count;
      }
      next[e] = slot;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      if (expert[i] == kNobody) continue;
      const int p = begin + warp_first + i * 32 + lane;
      const int slot = counts[warp][expert[i]] + rank[i];
      slot_of_pair[p] = slot;
      pair_of_slot[slot] = p;
    }
    __syncthreads();
  }
}

}  // namespace fast
