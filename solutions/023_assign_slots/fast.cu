// 023 assign_slots, fast: the list is cut into tiles, a block each, that tell each other their
// counts.
//
// The clear version reads the whole list once for every expert, one step after the other. Here
// every pair is read twice, by one block: first to count the tile's pairs by expert. The counts of
// all tiles before a tile, added to the offsets, say where its pairs begin; blocks wait for these
// counts within the launch. Then each warp ranks 32 pairs at a time with one __match_any_sync.
// Tiles are handed out in the order in which blocks start, so a block waits only for blocks that
// run already, however many fit on the GPU. Calls on two streams at the same time would share the
// arrays below: they must be ordered.
#include <algorithm>

#include "../fast/place_pairs.h"
#include "moe/kernels.h"

namespace {

using fast::expert_at;
using fast::kNobody;

constexpr int kThreads = fast::kPlaceThreads;
constexpr int kSteps = 8;                  // pairs of a thread in a round
constexpr int kRound = kThreads * kSteps;  // pairs that a block ranks at a time
constexpr int kMostExperts = 1024;
constexpr int kMostTiles = 128;  // about one for each multiprocessor
constexpr int kUnrolled = 8;     // loads on their way at the same time

__device__ int tile_counts[kMostTiles][kMostExperts];
__device__ int published[kMostTiles];  // 1: the tile's counts are there; 0 between calls
__device__ unsigned started;           // tiles handed out, and blocks that are done with the counts
__device__ unsigned finished;          // of others; both back at 0 after the last block

// next[e] = offsets[e] + the counts of e in all tiles before this one.
__device__ void add_earlier_tiles(int* next, const int* offsets, int tile, int E) {
  for (int e = threadIdx.x; e < E; e += kThreads) next[e] = offsets[e];
  for (int earlier = threadIdx.x; earlier < tile; earlier += kThreads) {
    while (atomicAdd(&published[earlier], 0) == 0) {
    }
  }
  __threadfence();
  __syncthreads();
  // Where there are fewer experts than threads, several threads share an expert's tiles.
  int columns = kThreads;
  while (columns >= 2 * E) columns /= 2;
  const int parts = kThreads / columns;
  const int part = threadIdx.x / columns;
  for (int e = threadIdx.x % columns; e < E; e += columns) {
    int sum = 0;
#pragma unroll kUnrolled
    for (int earlier = part; earlier < tile; earlier += parts) {
      sum += __ldcg(&tile_counts[earlier][e]);  // not from a cache that may be older
    }
    if (sum > 0) atomicAdd(&next[e], sum);
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
assign_slots_kernel(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                    int pairs, int pairs_of_tile, int E) {
  __shared__ int next[kMostExperts];  // the slot of each expert's next pair in this tile
  __shared__ int counts[fast::kPlaceWarps]
                       [kMostExperts];  // of a round: by warp, then summed over the warps
  __shared__ int shared_tile;
  if (threadIdx.x == 0) shared_tile = static_cast<int>(atomicInc(&started, gridDim.x - 1));
  for (int e = threadIdx.x; e < E; e += kThreads) next[e] = 0;
  __syncthreads();
  const int tile = shared_tile;
  const int begin = tile * pairs_of_tile;
  const int end = begin + min(pairs_of_tile, pairs - begin);

  // How many pairs of the tile each expert has, for the tiles behind this one.
  for (int first = begin; first < end; first += kRound) {
    int expert[kSteps];
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      expert[i] = expert_at(experts, first + i * kThreads + static_cast<int>(threadIdx.x), end);
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      if (expert[i] != kNobody) atomicAdd(&next[expert[i]], 1);
    }
  }
  __syncthreads();
  for (int e = threadIdx.x; e < E; e += kThreads) tile_counts[tile][e] = next[e];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&published[tile], 1);
  add_earlier_tiles(next, offsets, tile, E);

  fast::place_pairs<kSteps>(experts, begin, end, E, next, counts, slot_of_pair, pair_of_slot);

  // The last block has nobody left who waits: it makes ready for the next call.
  if (threadIdx.x == 0 && atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) {
    for (unsigned each = 0; each < gridDim.x; ++each) atomicExch(&published[each], 0);
  }
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  if (pairs == 0) return;

  // Tiles of whole rounds, except the last.
  const int rounds = (pairs - 1) / kRound + 1;
  const int rounds_of_tile = (rounds - 1) / kMostTiles + 1;
  const int tiles = (rounds - 1) / rounds_of_tile + 1;
  assign_slots_kernel<<<tiles, kThreads, 0, stream>>>(experts, offsets, slot_of_pair, pair_of_slot,
                                                      pairs, rounds_of_tile * kRound, E);
}
