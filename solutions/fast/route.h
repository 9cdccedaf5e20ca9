// From logits to slots in two launches: 018, 019 and 021 to 023 fused, and with them, where it is
// asked for, 041 to 043: the shares, the mean probabilities and the auxiliary loss.
//
// The first kernel has a token's logits in registers: softmax, choice and gates need no way through
// memory. A block's tokens are neighbours, and it leaves a histogram of its choices. The end of a
// launch is the barrier that 023's fast version builds by hand: the second kernel finds all
// histograms, and from them counts, offsets and the slot at which each block's pairs begin. Every
// block adds them up for itself; that takes less time than a launch. One more block computes the
// auxiliary loss. What the first kernel leaves is in arrays of this file, so calls on two streams
// must be ordered.
#pragma once

#include <algorithm>
#include <cmath>

#include "divided_up.h"
#include "place_pairs.h"
#include "row_in_registers.h"

namespace fast {

// Where 041 to 043 leave their results.
struct RouteLoss {
  float* fractions;
  float* mean_probs;
  float* loss;
  float alpha;
};

constexpr int kRouteExperts = 1024;
constexpr int kRouteTiles = 256;

// Of each tile of tokens: the pairs that chose each expert, up to the next multiple of 4 experts,
// and the sum of each expert's probabilities.
static __device__ int4 tile_counts[kRouteTiles][kRouteExperts / 4];
static __device__ float tile_probs[kRouteTiles][kRouteExperts];

// ---- Probabilities, choices, gates ----

// Where the first kernel finds a row's logits: see RouterProduct in small_layer.h for another
// place.
struct LogitsInMemory {
  const float* logits;

  __device__ void begin() const {}
  template <class Shape>
  __device__ void load(float (&numbers)[Shape::kHeld], int token, int E, int lane,
                       bool live) const {
    load_row<Shape>(numbers, logits + token * E, E, lane, live, -INFINITY);
  }
};

// Lane j keeps choice j, so K <= lanes.
template <class Shape, int threads, bool kLoss, class Logits>
__global__ void __launch_bounds__(threads)
choose_kernel(Logits logits, float* probs, int* experts, float* gates, int tokens_of_tile, int T,
              int E, int K) {
  __shared__ int histogram[kRouteExperts];
  const int used = (E + 3) / 4;
  for (int e = threadIdx.x; e < 4 * used; e += threads) histogram[e] = 0;
  logits.begin();
  __syncthreads();

  const int lane = threadIdx.x % Shape::kLanes;
  const int begin = blockIdx.x * tokens_of_tile;
  const int tokens = min(tokens_of_tile, T - begin);
  float sums[Shape::kHeld] = {};  // of the probabilities in numbers
  for (int first = 0; first < tokens; first += threads / Shape::kLanes) {
    const int at = first + threadIdx.x / Shape::kLanes;
    const bool live = at < tokens;  // else the lanes only take part in the shuffles
    const int token = live ? begin + at : 0;

    float numbers[Shape::kHeld];  // logits at first, then probabilities
    logits.template load<Shape>(numbers, token, E, lane, live);
    softmax_row<Shape>(numbers);
    if (live) store_row<Shape>(probs + token * E, numbers, E, lane);
    if constexpr (kLoss) {
#pragma unroll
      for (int i = 0; i < Shape::kHeld; ++i) sums[i] += live ? numbers[i] : 0.0f;
    }

    // The choice is made among the probabilities as they are written: their ties are 019's.
    unsigned keys[Shape::kHeld];
    keys_of_row<Shape>(keys, numbers, E, lane, live);
    Pick kept{kNoKey, 0};
    float of_chosen = 0.0f;
    for (int choice = 0; choice < K; ++choice) {
      const Pick best = take_largest<Shape>(keys, lane);
      of_chosen += number_of(best.key);
      if (lane == choice) kept = best;
    }
    if (live && lane < K) {
      experts[token * K + lane] = kept.column;
      gates[token * K + lane] = number_of(kept.key) / of_chosen;
      atomicAdd(&histogram[kept.column], 1);
    }
  }

  __syncthreads();
  for (int i = threadIdx.x; i < used; i += threads) {
    tile_counts[blockIdx.x][i] = make_int4(histogram[4 * i], histogram[4 * i + 1],
                                           histogram[4 * i + 2], histogram[4 * i + 3]);
  }
  if constexpr (kLoss) {
    __shared__ float shared[kRouteExperts];
    // Over the rows of a warp, then over the warps, each in its turn: always the same bits.
#pragma unroll
    for (int i = 0; i < Shape::kHeld; ++i) {
#pragma unroll
      for (int step = Shape::kLanes; step < 32; step *= 2) {
        sums[i] += __shfl_xor_sync(kAllLanes, sums[i], step);
      }
    }
    for (int warp = 0; warp < threads / 32; ++warp) {
      if (static_cast<int>(threadIdx.x) / 32 == warp && threadIdx.x % 32 < Shape::kLanes) {
#pragma unroll
        for (int i = 0; i < Shape::kHeld; ++i) {
          const int e = Shape::column(lane, i);
          if (e < E) shared[e] = warp == 0 ? sums[i] : shared[e] + sums[i];
        }
      }
      __syncthreads();
    }
    for (int e = threadIdx.x; e < E; e += threads) tile_probs[blockIdx.x][e] = shared[e];
  }
}

// ---- Counts, offsets, slots ----

constexpr int kRouteSteps = 4;  // pairs of a thread in a round
constexpr int kTilesOfBlock = 2;
constexpr int kScanEach = kRouteExperts / kPlaceThreads;  // experts of a thread in the scan

__device__ inline void add_four(int* to, int4 four) {
  atomicAdd(to, four.x);
  atomicAdd(to + 1, four.y);
  atomicAdd(to + 2, four.z);
  atomicAdd(to + 3, four.w);
}

__device__ inline int4 operator+(int4 a, int4 b) {
  return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Threads side by side for `columns` columns; the others share their rows.
__device__ inline int threads_across(int columns) {
  int across = kPlaceThreads;
  while (across >= 2 * columns) across /= 2;
  return across;
}

// The counts of all tiles, and of those before tile `own`: added to two arrays of zeros.
static __device__ void add_tiles(int* totals, int* earlier, int own, int tiles, int E) {
  const int used = (E + 3) / 4;
  const int across = threads_across(used);
  const int parts = kPlaceThreads / across;
  for (int i = threadIdx.x % across; i < used; i += across) {
    int4 before = make_int4(0, 0, 0, 0);
    int4 behind = before;
#pragma unroll 8
    for (int tile = threadIdx.x / across; tile < tiles; tile += parts) {
      const int4 four = tile_counts[tile][i];
      if (tile < own) {
        before = before + four;
      } else {
        behind = behind + four;
      }
    }
    add_four(earlier + 4 * i, before);
    add_four(totals + 4 * i, before + behind);
  }
}

// From counts to offsets, in place: 022 with kScanEach experts a thread.
__device__ inline void scan_counts(int* counts, int* warp_totals) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  int* const own = counts + kScanEach * threadIdx.x;
  int total = 0;
#pragma unroll
  for (int i = 0; i < kScanEach; ++i) total += own[i];
  int sum = running_sum(total);
  if (lane == 31) warp_totals[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += warp_totals[w];
  int next = sum - total;
#pragma unroll
  for (int i = 0; i < kScanEach; ++i) {
    const int count = own[i];
    own[i] = next;
    next += count;
  }
}

// Done by one block. counts: of all pairs, in shared memory.
static __device__ void write_loss(const RouteLoss& to, const int* counts, int pairs, int tiles,
                                  int T, int E) {
  __shared__ float shared[kPlaceThreads];
  float loss = 0.0f;
  const int across = threads_across(E);
  const int parts = kPlaceThreads / across;
  const int x = threadIdx.x % across, y = threadIdx.x / across;
  for (int first = 0; first < E; first += across) {
    const int e = first + x;
    float sum = 0.0f;
    if (e < E) {
#pragma unroll 8
      for (int tile = y; tile < tiles; tile += parts) sum += tile_probs[tile][e];
    }
    shared[threadIdx.x] = sum;
    for (int half = parts / 2; half > 0; half /= 2) {
      __syncthreads();
      if (y < half) shared[threadIdx.x] += shared[threadIdx.x + half * across];
    }
    if (y == 0 && e < E) {
      const float share =
          pairs > 0 ? static_cast<float>(counts[e]) / static_cast<float>(pairs) : 0.0f;
      const float mean = T > 0 ? shared[threadIdx.x] / static_cast<float>(T) : 0.0f;
      to.fractions[e] = share;
      to.mean_probs[e] = mean;
      loss += share * mean;
    }
    __syncthreads();
  }
  loss = block_sum(loss, shared);
  if (threadIdx.x == 0) *to.loss = to.alpha * static_cast<float>(E) * loss;
}

// blocks: those that place pairs; the one behind them writes the loss.
template <bool kLoss>
__global__ void __launch_bounds__(kPlaceThreads)
place_kernel(const int* experts, int* counts, int* offsets, int* slot_of_pair, int* pair_of_slot,
             RouteLoss loss, int blocks, int pairs_of_block, int tiles, int T, int E, int K) {
  __shared__ int next[kRouteExperts];    // the slot of each expert's next pair in this block
  __shared__ int starts[kRouteExperts];  // counts of all pairs, then offsets
  __shared__ int of_warp[kPlaceWarps][kRouteExperts];
  __shared__ int warp_totals[kPlaceWarps];
  const int pairs = T * K;
  for (int e = threadIdx.x; e < kRouteExperts; e += kPlaceThreads) next[e] = starts[e] = 0;
  __syncthreads();
  const int block = static_cast<int>(blockIdx.x);
  add_tiles(starts, next, block * kTilesOfBlock, tiles, E);
  __syncthreads();
  if constexpr (kLoss) {
    if (block == blocks) {
      write_loss(loss, starts, pairs, tiles, T, E);
      return;
    }
  }
  const bool first_block = block == 0;
  if (first_block) {
    for (int e = threadIdx.x; e < E; e += kPlaceThreads) counts[e] = starts[e];
    __syncthreads();
  }
  scan_counts(starts, warp_totals);
  __syncthreads();
  for (int e = threadIdx.x; e < E; e += kPlaceThreads) {
    next[e] += starts[e];
    if (first_block) offsets[e] = starts[e];
  }
  if (first_block && threadIdx.x == 0) offsets[E] = pairs;

  const int begin = block * pairs_of_block;
  const int end = begin + min(pairs_of_block, pairs - begin);
  place_pairs<kRouteSteps>(experts, begin, end, E, next, of_warp, slot_of_pair, pair_of_slot);
}

// Where 018, 019 and 021 to 023 leave their results.
struct Routes {
  float* probs;
  int* experts;
  float* gates;
  int* counts;
  int* offsets;
  int* slot_of_pair;
  int* pair_of_slot;
};

// The tiles that the first kernel has made. Without tokens there are none, and counts and offsets
// are written all the same.
struct RouteTiles {
  int count = 0;
  int tokens = 1;  // of each
};

// T is at least 1.
template <class Shape, int threads, bool kLoss, class Logits>
RouteTiles choose(const Logits& logits, const Routes& routes, int T, int E, int K,
                  cudaStream_t stream) {
  constexpr int kTokens = threads / Shape::kLanes;
  RouteTiles tiles;
  tiles.tokens = divided_up(divided_up(T, kRouteTiles), kTokens) * kTokens;
  tiles.count = divided_up(T, tiles.tokens);
  choose_kernel<Shape, threads, kLoss><<<tiles.count, threads, 0, stream>>>(
      logits, routes.probs, routes.experts, routes.gates, tiles.tokens, T, E, K);
  return tiles;
}

template <bool kLoss>
void place(const RouteTiles& tiles, const Routes& routes, const RouteLoss& loss, int T, int E,
           int K, cudaStream_t stream) {
  const int blocks = std::max(1, (tiles.count + kTilesOfBlock - 1) / kTilesOfBlock);
  place_kernel<kLoss><<<blocks + (kLoss ? 1 : 0), kPlaceThreads, 0, stream>>>(
      routes.experts, routes.counts, routes.offsets, routes.slot_of_pair, routes.pair_of_slot, loss,
      blocks, tiles.tokens * kTilesOfBlock * K, tiles.count, T, E, K);
}

template <bool kLoss>
void route_pairs(const float* logits, const Routes& routes, const RouteLoss& loss, int T, int E,
                 int K, cudaStream_t stream) {
  RouteTiles tiles;
  if (T > 0) {
    with_row_shape(E, K, aligned(logits, routes.probs), [&]<class Shape>(Shape) {
      constexpr int kThreads = Shape::kHeld <= 8 ? 1024 : 512;  // for which there are registers
      tiles = choose<Shape, kThreads, kLoss>(LogitsInMemory{logits}, routes, T, E, K, stream);
    });
  }
  place<kLoss>(tiles, routes, loss, T, E, K, stream);
}

}  // namespace fast
