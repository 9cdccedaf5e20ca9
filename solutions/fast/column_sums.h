// Sums of columns over ranges of rows, in one launch, with the same bits in every run.
//
// A block has a tile of up to 32 packs of columns. Its threads stand in rows of the tile's width
// and walk down, eight loads under way in each. Where the blocks of several parts share a range,
// they take turns, so that all read near one another; each leaves its sums in scratch, and the last
// of them adds all up, in order. Ranges of few rows have a kernel of their own, without parts.
#pragma once

#include "last_block.h"
#include "vectors.h"
#include "warp.h"

namespace fast {

constexpr int kSumThreads = 256;
constexpr int kTile = 32;       // packs
constexpr int kNarrowTile = 8;  // a cache line; where rows are few: more blocks, which do not wait
constexpr int kDeep = 8;        // loads under way in a thread
constexpr int kResident = 4;    // blocks on a multiprocessor, for which there are registers
constexpr int kMostBlocks = 4096;  // that leave sums in scratch
constexpr int kFullGpu = 528;      // four for each multiprocessor of an H200
constexpr int kMostParts = 264;    // more would keep the last block long
constexpr int kFewThreads = 512;

static __device__ float4 sum_parts[kMostBlocks * kTile];
static __device__ unsigned sum_counters[kMostBlocks];

// The sum of load(row) over the last `left` rows before `end`: eight that lie `height` apart, then
// the eight that begin `step` below the first, and so on.
template <class Pack, class Load>
__device__ Pack sum_of_column(int left, int end, int height, int step, Load load) {
  Pack sum = filled<Pack>(0.0f);
  for (; left > 0; left -= step) {
    const int row = end - left;
    // Past the end the last row is loaded again, and not counted: loads without a condition all
    // begin before the first is waited for.
    Pack pack[kDeep];
#pragma unroll
    for (int k = 0; k < kDeep; ++k) pack[k] = load(min(row + k * height, end - 1));
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      if (row + k * height < end) sum = sum + pack[k];
    }
  }
  return sum;
}

// The sum over the block's rows of threads, in those of row 0.
template <class Pack>
__device__ Pack fold(Pack sum, Pack* shared, int width, int height, int y) {
  const int thread = static_cast<int>(threadIdx.x);
  shared[thread] = sum;
  for (int left = height; left > 1;) {
    const int half = (left + 1) / 2;
    __syncthreads();
    if (y < left - half) shared[thread] = shared[thread] + shared[thread + half * width];
    left = half;
  }
  return shared[thread];
}

// Grid: tiles, parts, ranges. offsets: the first row of each range and the end of the last; null
// for one range of all rows. finish(range, column, sum) takes the results.
//
// Without the second launch bound the compiler settles for 32 registers, too few for eight packs.
template <class Pack, class Finish>
__global__ void __launch_bounds__(kSumThreads, kResident)
column_sums_kernel(const float* data, const int* offsets, int rows, int packs, Finish finish) {
  __shared__ Pack shared[kSumThreads];
  const int width = min(packs, kTile);
  const int height = kSumThreads / width;
  const int x = static_cast<int>(threadIdx.x) % width;
  const int y = static_cast<int>(threadIdx.x) / width;
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  const bool mine = y < height && column < packs;
  const int range = static_cast<int>(blockIdx.z);
  const int part = static_cast<int>(blockIdx.y), parts = static_cast<int>(gridDim.y);

  const int begin = offsets == nullptr ? 0 : offsets[range];
  const int end = offsets == nullptr ? rows : offsets[range + 1];
  if (offsets != nullptr && begin == end) return;  // all blocks of the range

  const int round = kDeep * height;
  const Pack* from = reinterpret_cast<const Pack*>(data);
  Pack sum = filled<Pack>(0.0f);
  if (mine) {
    sum = sum_of_column<Pack>(end - begin - part * round - y, end, height, parts * round,
                              [=](int row) { return from[row * packs + column]; });
  }
  sum = fold(sum, shared, width, height, y);

  if (parts > 1) {
    const int unit = range * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x);
    Pack* left = reinterpret_cast<Pack*>(sum_parts) + unit * parts * kTile + x;
    if (y == 0) left[part * kTile] = sum;
    if (!last_to_arrive(&sum_counters[unit], static_cast<unsigned>(parts))) return;
    sum = filled<Pack>(0.0f);
    if (mine) {
      sum = sum_of_column<Pack>(parts - y, parts, height, round,
                                [=](int p) { return __ldcg(left + p * kTile); });
    }
    sum = fold(sum, shared, width, height, y);
  }

  if (y == 0 && mine) {
    constexpr int kFloats = sizeof(Pack) / sizeof(float);
    const float* sums = reinterpret_cast<const float*>(&sum);
#pragma unroll
    for (int k = 0; k < kFloats; ++k) finish(range, column * kFloats + k, sums[k]);
  }
}

// Ranges of few rows. A block has a tile of kWidth packs of one range, a power of two up to
// kNarrowTile, and no block waits for another. The lanes that share a column add up by shuffles,
// then the warps. Grid: tiles, ranges.
template <class Pack, int kWidth, class Finish>
__global__ void __launch_bounds__(kFewThreads, 2)
few_rows_kernel(const float* data, const int* offsets, int rows, int packs, Finish finish) {
  constexpr int kWarps = kFewThreads / 32, kHeight = kFewThreads / kWidth;
  constexpr int kFloats = sizeof(Pack) / sizeof(float);
  __shared__ Pack shared[kWarps][kWidth];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int first = static_cast<int>(blockIdx.x) * kWidth;
  const int column = first + thread % kWidth;
  const int range = static_cast<int>(blockIdx.y);
  const int begin = offsets == nullptr ? 0 : offsets[range];
  const int end = offsets == nullptr ? rows : offsets[range + 1];
  if (offsets != nullptr && begin == end) return;  // the whole block

  const Pack* from = reinterpret_cast<const Pack*>(data);
  Pack sum =
      sum_of_column<Pack>(column < packs ? end - begin - thread / kWidth : 0, end, kHeight,
                          kDeep * kHeight, [=](int row) { return from[row * packs + column]; });
  float* sums = reinterpret_cast<float*>(&sum);
#pragma unroll
  for (int step = 16; step >= kWidth; step /= 2) {
#pragma unroll
    for (int k = 0; k < kFloats; ++k) sums[k] += __shfl_xor_sync(kAllLanes, sums[k], step);
  }
  if (lane < kWidth) shared[thread / 32][lane] = sum;
  __syncthreads();
  if (thread >= kWidth * kFloats || first * kFloats + thread >= packs * kFloats) return;
  float total = 0.0f;
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    total += reinterpret_cast<const float*>(shared[warp])[thread];
  }
  finish(range, first * kFloats + thread, total);
}

// Whether it was launched: where ranges have few rows, on the average. Two rounds of loads are over
// before parts are added up, which takes a fence, an atomic and another load, one after the other.
// Few columns have room for more rows in a round.
template <class Pack, int kWidth, class Finish>
bool launch_few_rows(const float* data, const int* offsets, int rows, int ranges, int packs,
                     Finish finish, cudaStream_t stream) {
  if (rows / ranges > 2 * kDeep * (kFewThreads / kWidth)) return false;
  const dim3 grid((packs + kWidth - 1) / kWidth, ranges);
  few_rows_kernel<Pack, kWidth>
      <<<grid, kFewThreads, 0, stream>>>(data, offsets, rows, packs, finish);
  return true;
}

template <class Pack, class Finish>
void launch_column_sums(const float* data, const int* offsets, int rows, int ranges, int packs,
                        Finish finish, cudaStream_t stream) {
  const auto few = packs > 4   ? launch_few_rows<Pack, kNarrowTile, Finish>
                   : packs > 2 ? launch_few_rows<Pack, 4, Finish>
                   : packs > 1 ? launch_few_rows<Pack, 2, Finish>
                               : launch_few_rows<Pack, 1, Finish>;
  if (few(data, offsets, rows, ranges, packs, finish, stream)) return;
  const int tiles = (packs + kTile - 1) / kTile;
  const int height = kSumThreads / (packs < kTile ? packs : kTile);
  // One range: blocks for a full GPU, and no more. Ranges differ in size, and more blocks even that
  // out. A part has rows for one round of loads at least, where the ranges are alike.
  const long long most = ranges == 1 ? kFullGpu : kMostBlocks;
  const long long room = most / (static_cast<long long>(tiles) * ranges);
  const long long rounds = (rows / ranges + kDeep * height - 1) / (kDeep * height);
  long long parts = kMostParts;
  if (parts > room) parts = room;
  if (parts > rounds) parts = rounds;
  if (parts < 1) parts = 1;
  const dim3 grid(tiles, static_cast<unsigned>(parts), ranges);
  column_sums_kernel<Pack><<<grid, kSumThreads, 0, stream>>>(data, offsets, rows, packs, finish);
}

template <class Finish>
void column_sums(const float* data, const int* offsets, int rows, int ranges, int cols,
                 Finish finish, cudaStream_t stream) {
  if (cols % 4 == 0 && aligned(data)) {
    launch_column_sums<float4>(data, offsets, rows, ranges, cols / 4, finish, stream);
  } else {
    launch_column_sums<float>(data, offsets, rows, ranges, cols, finish, stream);
  }
}

}  // namespace fast
