// From logits to slots in two launches: 018, 019 and 021 to 023 fused.
//
// The first kernel has a token's logits in registers: softmax, choice and gates need no way through
// memory. A block's tokens are neighbours, and it leaves a histogram of its choices. The end of a
// launch is the barrier that 023's fast version builds by hand: the second kernel finds all
// histograms, and from them counts, offsets and the slot at which each block's pairs begin. Every
// block adds them up for itself; that takes less time than a launch. The histograms lie in one
// array: calls on two streams must be ordered.
#include <algorithm>
#include <cmath>

#include "../fast/place_pairs.h"
#include "../fast/row_in_registers.h"
#include "moe/examples.h"

namespace {

constexpr int kWarpSize = 32;
constexpr int kMostExperts = 1024;
constexpr int kMostTiles = 256;

// Of each tile of tokens, the pairs that chose each expert. Up to the next multiple of 4 experts.
__device__ int4 tile_counts[kMostTiles][kMostExperts / 4];

// ---- Probabilities, choices, gates ----

// Lane j keeps choice j, so K <= lanes.
template <class Shape, int threads>
__global__ void __launch_bounds__(threads)
choose_kernel(const float* logits, float* probs, int* experts, float* gates, int tokens_of_tile,
              int T, int E, int K) {
  __shared__ int histogram[kMostExperts];
  const int used = (E + 3) / 4;
  for (int e = threadIdx.x; e < 4 * used; e += threads) histogram[e] = 0;
  __syncthreads();

  const int lane = threadIdx.x % Shape::kLanes;
  const int begin = blockIdx.x * tokens_of_tile;
  const int tokens = min(tokens_of_tile, T - begin);
  for (int first = 0; first < tokens; first += threads / Shape::kLanes) {
    const int at = first + threadIdx.x / Shape::kLanes;
    const bool live = at < tokens;  // else the lanes only take part in the shuffles
    const int token = live ? begin + at : 0;

    float numbers[Shape::kHeld];  // logits at first, then probabilities
    fast::load_row<Shape>(numbers, logits + token * E, E, lane, live, -INFINITY);
    fast::softmax_row<Shape>(numbers);
    if (live) fast::store_row<Shape>(probs + token * E, numbers, E, lane);

    // The choice is made among the probabilities as they are written: their ties are 019's.
    unsigned keys[Shape::kHeld];
    fast::keys_of_row<Shape>(keys, numbers, E, lane, live);
    fast::Pick kept{fast::kNoKey, 0};
    float of_chosen = 0.0f;
    for (int choice = 0; choice < K; ++choice) {
      const fast::Pick best = fast::take_largest<Shape>(keys, lane);
      of_chosen += fast::number_of(best.key);
      if (lane == choice) kept = best;
    }
    if (live && lane < K) {
      experts[token * K + lane] = kept.column;
      gates[token * K + lane] = fast::number_of(kept.key) / of_chosen;
      atomicAdd(&histogram[kept.column], 1);
    }
  }

  __syncthreads();
  for (int i = threadIdx.x; i < used; i += threads) {
    tile_counts[blockIdx.x][i] = make_int4(histogram[4 * i], histogram[4 * i + 1],
                                           histogram[4 * i + 2], histogram[4 * i + 3]);
  }
}

// ---- Counts, offsets, slots ----

constexpr int kThreads = fast::kPlaceThreads;
constexpr int kWarps = fast::kPlaceWarps;
constexpr int kSteps = 4;  // pairs of a thread in a round
constexpr int kTilesOfBlock = 2;
constexpr int kEach = kMostExperts / kThreads;  // experts of a thread in the scan

__device__ void add(int* to, int4 four) {
  atomicAdd(to, four.x);
  atomicAdd(to + 1, four.y);
  atomicAdd(to + 2, four.z);
  atomicAdd(to + 3, four.w);
}

__device__ int4 operator+(int4 a, int4 b) {
  return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// The counts of all tiles, and of those before tile `own`: added to two arrays of zeros.
__device__ void add_tiles(int* totals, int* earlier, int own, int tiles, int E) {
  const int used = (E + 3) / 4;
  int columns = kThreads;  // threads side by side; the others share their tiles
  while (columns >= 2 * used) columns /= 2;
  const int parts = kThreads / columns;
  for (int i = threadIdx.x % columns; i < used; i += columns) {
    int4 before = make_int4(0, 0, 0, 0);
    int4 behind = before;
#pragma unroll 8
    for (int tile = threadIdx.x / columns; tile < tiles; tile += parts) {
      const int4 four = tile_counts[tile][i];
      if (tile < own) {
        before = before + four;
      } else {
        behind = behind + four;
      }
    }
    add(earlier + 4 * i, before);
    add(totals + 4 * i, before + behind);
  }
}

// From counts to offsets, in place: 022 with kEach experts a thread.
__device__ void scan(int* counts, int* warp_totals) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  int* const own = counts + kEach * threadIdx.x;
  int total = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) total += own[i];
  int sum = fast::running_sum(total);
  if (lane == kWarpSize - 1) warp_totals[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += warp_totals[w];
  int next = sum - total;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int count = own[i];
    own[i] = next;
    next += count;
  }
}

__global__ void __launch_bounds__(kThreads)
place_kernel(const int* experts, int* counts, int* offsets, int* slot_of_pair, int* pair_of_slot,
             int pairs, int pairs_of_block, int tiles, int E) {
  __shared__ int next[kMostExperts];    // the slot of each expert's next pair in this block
  __shared__ int starts[kMostExperts];  // counts of all pairs, then offsets
  __shared__ int of_warp[kWarps][kMostExperts];
  __shared__ int warp_totals[kWarps];
  for (int e = threadIdx.x; e < kMostExperts; e += kThreads) next[e] = starts[e] = 0;
  __syncthreads();
  add_tiles(starts, next, blockIdx.x * kTilesOfBlock, tiles, E);
  __syncthreads();
  const bool first_block = blockIdx.x == 0;
  if (first_block) {
    for (int e = threadIdx.x; e < E; e += kThreads) counts[e] = starts[e];
    __syncthreads();
  }
  scan(starts, warp_totals);
  __syncthreads();
  for (int e = threadIdx.x; e < E; e += kThreads) {
    next[e] += starts[e];
    if (first_block) offsets[e] = starts[e];
  }
  if (first_block && threadIdx.x == 0) offsets[E] = pairs;

  const int begin = blockIdx.x * pairs_of_block;
  const int end = begin + min(pairs_of_block, pairs - begin);
  fast::place_pairs<kSteps>(experts, begin, end, E, next, of_warp, slot_of_pair, pair_of_slot);
}

int divided_up(int a, int b) {
  return (a - 1) / b + 1;
}

}  // namespace

void route(const float* logits, float* probs, int* experts, float* gates, int* counts, int* offsets,
           int* slot_of_pair, int* pair_of_slot, int T, int E, int K, cudaStream_t stream) {
  int tokens_of_tile = 1;
  int tiles = 0;  // of no tokens: counts and offsets are written all the same
  if (T > 0) {
    fast::with_row_shape(E, K, fast::aligned(logits, probs), [&]<class Shape>(Shape) {
      constexpr int kThreadsOfTile =
          Shape::kHeld <= 8 ? 1024 : 512;  // for which there are registers
      constexpr int kTokens = kThreadsOfTile / Shape::kLanes;
      tokens_of_tile = divided_up(divided_up(T, kMostTiles), kTokens) * kTokens;
      tiles = divided_up(T, tokens_of_tile);
      choose_kernel<Shape, kThreadsOfTile><<<tiles, kThreadsOfTile, 0, stream>>>(
          logits, probs, experts, gates, tokens_of_tile, T, E, K);
    });
  }
  const int blocks = std::max(1, (tiles + kTilesOfBlock - 1) / kTilesOfBlock);
  place_kernel<<<blocks, kThreads, 0, stream>>>(experts, counts, offsets, slot_of_pair,
                                                pair_of_slot, T * K,
                                                tokens_of_tile * kTilesOfBlock * K, tiles, E);
}
