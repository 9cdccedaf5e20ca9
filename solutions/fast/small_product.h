// A tile of 32 x 32 of a product, for layers so small that a launch takes as long as its
// arithmetic: what counts is that all multiprocessors have a tile, and that a tile is soon over.
// So the four teams of a block share the terms of its sums, and add up at the end; and what follows
// a product is done with its results, in the same launch.
//
// Rows are multiples of 4 floats and addresses of 16 bytes.
#pragma once

#include "copy_ahead.h"
#include "vectors.h"

namespace fast {

constexpr int kSide = 32;       // of a tile
constexpr int kSmallTeams = 4;  // of 64 threads, 8 x 8, with 4 x 4 results each
constexpr int kSmallThreads = kSmallTeams * 64;
constexpr int kSmallDepth = 64;  // terms of a stage
constexpr int kSmallStages = 2;
constexpr int kResultPitch = kSide + 4;

// An operand whose rows in memory are the tile's: the terms of a sum lie beside each other.
struct Along {
  static constexpr int kHigh = kSide, kWide = kSmallDepth, kPitch = kSmallDepth + 4;
  // Of the tile's rows (or columns), thread `at` has this as its i-th.
  static __device__ int place(int at, int i) { return at + 8 * i; }
  static __device__ void load(float (&values)[4][4], const float* stage, int at, int k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) fast::load<4>(values[i], stage + place(at, i) * kPitch + k);
  }
};

// An operand whose rows in memory are the terms: the tile lies across them.
struct Across {
  static constexpr int kHigh = kSmallDepth, kWide = kSide, kPitch = kSide;
  static __device__ int place(int at, int i) { return 4 * at + i; }
  static __device__ void load(float (&values)[4][4], const float* stage, int at, int k) {
#pragma unroll
    for (int term = 0; term < 4; ++term) {
      float across[4];
      fast::load<4>(across, stage + (k + term) * kPitch + 4 * at);
#pragma unroll
      for (int i = 0; i < 4; ++i) values[i][term] = across[i];
    }
  }
};

// `rows` rows of `cols` floats, one after the other.
struct Matrix {
  const float* from;
  int rows, cols;
  __device__ const float* row(int r) const { return from + r * cols; }
};

template <class Way>
constexpr int kStageOf = Way::kHigh* Way::kPitch;
constexpr int kLargestStage = kStageOf<Along>;
static_assert(kLargestStage >= kStageOf<Across>);

// Shared memory of a block: the stages of both operands, and then the teams' results.
constexpr int kSmallFloats = kSmallStages * 2 * kLargestStage;
static_assert(kSmallFloats >= kSmallTeams * kSide * kResultPitch);

// The part of a matrix that begins at (row, col); what is outside of it is 0.
template <class Way, class Source>
__device__ void copy_stage(float* stage, const Source& source, int row, int col) {
  constexpr int kFours = Way::kWide / 4;
#pragma unroll
  for (int i = threadIdx.x; i < Way::kHigh * kFours; i += kSmallThreads) {
    const int r = i / kFours, c = i % kFours * 4;
    const bool there = row + r < source.rows && col + c < source.cols;
    copy_ahead<4>(stage + r * Way::kPitch + c, there ? source.row(row + r) + col + c : source.from,
                  there);
  }
}

// The tile at (row, col) of the product, which has rows x cols results of `depth` terms. Then
// finish.four(r, c, sums) for every four results of a row that are there; and where kColumns is
// true, finish.column(c, sum) for the sum of column c of the right operand, which lies Across.
template <class WayA, class WayB, bool kColumns, class A, class B, class Finish>
__device__ void small_product(float* shared, const A& a, const B& b, int row, int col, int rows,
                              int cols, int depth, const Finish& finish) {
  const int thread = static_cast<int>(threadIdx.x);
  const int team = thread / 64, y = thread % 64 / 8, x = thread % 8;
  const auto stage_a = [&](int chunk) { return shared + chunk % kSmallStages * 2 * kLargestStage; };
  const auto stage_b = [&](int chunk) { return stage_a(chunk) + kLargestStage; };
  const int chunks = (depth + kSmallDepth - 1) / kSmallDepth;
  const auto copy = [&](int chunk) {
    if (chunk < chunks) {
      const int k = chunk * kSmallDepth;
      if constexpr (WayA::kHigh == kSide) {
        copy_stage<WayA>(stage_a(chunk), a, row, k);
      } else {
        copy_stage<WayA>(stage_a(chunk), a, k, row);
      }
      if constexpr (WayB::kHigh == kSide) {
        copy_stage<WayB>(stage_b(chunk), b, col, k);
      } else {
        copy_stage<WayB>(stage_b(chunk), b, k, col);
      }
    }
    __pipeline_commit();
  };

  float sums[4][4] = {};
  float column = 0.0f;
  copy(0);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    copy(chunk + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    constexpr int kOfTeam = kSmallDepth / kSmallTeams;
#pragma unroll
    for (int step = 0; step < kOfTeam; step += 4) {
      float of_a[4][4], of_b[4][4];  // [result][term]
      WayA::load(of_a, stage_a(chunk), y, team * kOfTeam + step);
      WayB::load(of_b, stage_b(chunk), x, team * kOfTeam + step);
#pragma unroll
      for (int term = 0; term < 4; ++term) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
          for (int j = 0; j < 4; ++j) sums[i][j] += of_a[i][term] * of_b[j][term];
        }
      }
    }
    if constexpr (kColumns) {
      if (thread < kSide) {
#pragma unroll 16
        for (int k = 0; k < kSmallDepth; ++k) column += stage_b(chunk)[k * WayB::kPitch + thread];
      }
    }
    __syncthreads();  // all have read what the next copies overwrite
  }
  __pipeline_wait_prior(0);

#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float* const to = shared + (team * kSide + WayA::place(y, i)) * kResultPitch;
#pragma unroll
    for (int j = 0; j < 4; ++j) to[WayB::place(x, j)] = sums[i][j];
  }
  __syncthreads();
  const int r = thread / 8, c = thread % 8 * 4;
  if (row + r < rows && col + c < cols) {
    float4 sum = load4(shared + r * kResultPitch + c);
#pragma unroll
    for (int other = 1; other < kSmallTeams; ++other) {
      sum = sum + load4(shared + (other * kSide + r) * kResultPitch + c);
    }
    finish.four(row + r, col + c, sum);
  }
  if constexpr (kColumns) {
    if (thread < kSide && col + thread < cols) finish.column(col + thread, column);
  }
}

}  // namespace fast
