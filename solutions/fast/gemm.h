// FP32 matrix products on the CUDA cores: the kernel of 001 to 003 and of the experts' products.
//
// A block has a tile of C. Its operands come through shared memory some steps of the sum at a time,
// by copies that run some tiles ahead; a thread multiplies a column of kDown floats by a row of
// kAcross, which it has in registers. What is read for one step of the sum is asked for during the
// step before it, so neither memory is ever waited for, and a barrier a tile is enough.
#pragma once

#include <type_traits>

#include "gemm_copies.h"
#include "gemm_tile.h"

namespace fast {

// A block's part of a product: all of C, of which it has the tile that begins at (row, col).
struct GemmTask {
  const float* A;
  const float* B;
  float* C;
  int stride_a, stride_b;  // floats from one row in memory to the next; of C: cols
  int rows, cols, depth;   // the sum has `depth` terms, at least one
  int row, col;
  float* column_sums;  // of B, are added here; null for none
};

// An operand, or those of all groups one after the other.
struct GemmOperand {
  const float* data;
  int stride;  // from one row in memory to the next

  // Whether `floats` neighbours can be read at a time.
  bool has_packs_of(int floats) const {
    return stride % floats == 0 && reinterpret_cast<std::size_t>(data) % (floats * 4u) == 0;
  }
};

// How A [M,K] or [K,M] and B [K,N] or [N,K] lie in memory.
enum class Lies { kTurned, kStraight };

// How many floats of an operand are moved at a time where they can be.
template <class Tile>
constexpr int pack_of(Lies lies) {
  return lies == Lies::kStraight || Tile::kTurnsInRegisters ? 4 : 1;
}

template <class Tile, Lies kLies, int kWidth, int kPack>
using GemmCopies = std::conditional_t<
    kLies == Lies::kStraight, StraightCopies<kWidth, Tile::kDepth, Tile::kThreads, kPack>,
    std::conditional_t<kPack == 4, TurnedLoads<kWidth, Tile::kDepth, Tile::kThreads>,
                       TurnedCopies<kWidth, Tile::kDepth, Tile::kThreads>>>;

// What a thread multiplies at one step.
template <class Tile>
struct GemmFragment {
  float4 a[Tile::kDown / 4];
  float4 b[Tile::kAcross / 4];

  __device__ void load(const float* from_a, const float* from_b) {
#pragma unroll
    for (int i = 0; i < Tile::kDown / 4; ++i) a[i] = load4(from_a + i * 4 * Tile::kLanesDown);
#pragma unroll
    for (int j = 0; j < Tile::kAcross / 4; ++j) b[j] = load4(from_b + j * 4 * Tile::kLanesAcross);
  }
};

template <class Tile>
struct GemmSums {
  float4 of[Tile::kDown][Tile::kAcross / 4];

  __device__ void clear() {
#pragma unroll
    for (int r = 0; r < Tile::kDown; ++r) {
#pragma unroll
      for (int j = 0; j < Tile::kAcross / 4; ++j) of[r][j] = filled<float4>(0.0f);
    }
  }

  __device__ void add(const GemmFragment<Tile>& f) {
#pragma unroll
    for (int i = 0; i < Tile::kDown / 4; ++i) {
#pragma unroll
      for (int j = 0; j < Tile::kAcross / 4; ++j) {
        add(of[4 * i][j], f.a[i].x, f.b[j]);
        add(of[4 * i + 1][j], f.a[i].y, f.b[j]);
        add(of[4 * i + 2][j], f.a[i].z, f.b[j]);
        add(of[4 * i + 3][j], f.a[i].w, f.b[j]);
      }
    }
  }

  // row, col: of the thread's first element.
  template <bool kAccumulate>
  __device__ void store(const GemmTask& task, int row, int col) const {
    const bool vectors = task.cols % 4 == 0 && reinterpret_cast<std::size_t>(task.C) % 16 == 0;
#pragma unroll
    for (int r = 0; r < Tile::kDown; r += 2) {
      const int y = row + r / 4 * 4 * Tile::kLanesDown + r % 4;
      if (vectors) {
        store_two<kAccumulate>(task, y, col, r);
      } else {
        store_singly<kAccumulate>(task, y, col, r);
        store_singly<kAccumulate>(task, y + 1, col, r + 1);
      }
    }
  }

 private:
  // The thread's rows `row` and the next, which are C's rows y and y + 1. What is there is asked
  // for together: the compiler lets no load pass a store.
  template <bool kAccumulate>
  __device__ void store_two(const GemmTask& task, int y, int col, int row) const {
    float4 old[2][Tile::kAcross / 4];
#pragma unroll
    for (int pass = kAccumulate ? 0 : 1; pass < 2; ++pass) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        float* const to = task.C + static_cast<std::size_t>(y + r) * task.cols;
#pragma unroll
        for (int j = 0; j < Tile::kAcross / 4; ++j) {
          const int x = col + j * 4 * Tile::kLanesAcross;
          if (y + r >= task.rows || x >= task.cols) continue;
          if (pass == 0) {
            old[r][j] = load4(to + x);
          } else {
            store4(to + x, kAccumulate ? old[r][j] + of[row + r][j] : of[row + r][j]);
          }
        }
      }
    }
  }

  template <bool kAccumulate>
  __device__ void store_singly(const GemmTask& task, int y, int col, int row) const {
    if (y >= task.rows) return;
    float* const to = task.C + static_cast<std::size_t>(y) * task.cols;
#pragma unroll
    for (int j = 0; j < Tile::kAcross / 4; ++j) {
      const int x = col + j * 4 * Tile::kLanesAcross;
      const float4 sum = of[row][j];
      const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        if (x + c < task.cols) to[x + c] = kAccumulate ? to[x + c] + sums[c] : sums[c];
      }
    }
  }

  __device__ static void add(float4& sum, float a, float4 b) {
    sum.x += a * b.x;
    sum.y += a * b.y;
    sum.z += a * b.z;
    sum.w += a * b.w;
  }
};

// Tasks: find(block, task) says what a block has to do, or that it has nothing.
template <class Tile, Lies kA, Lies kB, int kPackA, int kPackB, bool kAccumulate, bool kColumnSums,
          class Tasks>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kResident)
gemm_kernel(Tasks tasks) {
  using CopiesA = GemmCopies<Tile, kA, Tile::kRows, kPackA>;
  using CopiesB = GemmCopies<Tile, kB, Tile::kCols, kPackB>;
  constexpr int kDepth = Tile::kDepth, kStages = Tile::kStages;
  constexpr int kFloatsA = kDepth * CopiesA::kStep, kFloatsB = kDepth * CopiesB::kStep;
  __shared__ alignas(16) float tiles_a[kStages * kFloatsA];
  __shared__ alignas(16) float tiles_b[kStages * kFloatsB];

  GemmTask task;
  if (!tasks.template find<Tile>(static_cast<int>(blockIdx.x), task)) return;  // the whole block

  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  constexpr int kWarpsAcross = Tile::kCols / Tile::kWarpCols;
  const int row = warp / kWarpsAcross * Tile::kWarpRows + lane / Tile::kLanesAcross * 4;
  const int col = warp % kWarpsAcross * Tile::kWarpCols + lane % Tile::kLanesAcross * 4;

  CopiesA copies_a(task.A, task.stride_a, task.row, task.rows);
  CopiesB copies_b(task.B, task.stride_b, task.col, task.cols);
  const int whole = task.depth / kDepth;  // tiles with all their steps
  const int count = (task.depth + kDepth - 1) / kDepth;

  // All copies of a tile, which may be the last one, or past it.
  const auto copy_all = [&](int tile, int stage) {
    const int left = task.depth - tile * kDepth;
    if (left <= 0) return;
#pragma unroll
    for (int i = 0; i < CopiesA::kCount; ++i) copies_a.copy(i, tiles_a + stage * kFloatsA, left);
#pragma unroll
    for (int i = 0; i < CopiesB::kCount; ++i) copies_b.copy(i, tiles_b + stage * kFloatsB, left);
#pragma unroll
    for (int i = 0; i < CopiesA::kCount; ++i) copies_a.finish(i, tiles_a + stage * kFloatsA);
#pragma unroll
    for (int i = 0; i < CopiesB::kCount; ++i) copies_b.finish(i, tiles_b + stage * kFloatsB);
    copies_a.next();
    copies_b.next();
  };
  for (int tile = 0; tile < kStages - 1; ++tile) {
    copy_all(tile, tile);
    __pipeline_commit();
  }

  GemmSums<Tile> sums;
  sums.clear();
  GemmFragment<Tile> even, odd;  // steps: one is multiplied while the other is loaded
  float column_sum = 0.0f;       // of B's column `thread` of the tile
  const bool has_column = kColumnSums && task.column_sums != nullptr && thread < Tile::kCols;

  int reading = 0, writing = kStages - 1;  // stages
  const auto next_stage = [](int stage) { return stage + 1 == kStages ? 0 : stage + 1; };
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  even.load(tiles_a + row, tiles_b + col);

  // Multiplies a tile, and copies the one that is kStages - 1 ahead of it.
  const auto multiply = [&](int tile, auto ahead_is_whole) {
    constexpr bool kWhole = decltype(ahead_is_whole)::value;
    if constexpr (kColumnSums) {
      if (has_column) {
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
          column_sum += tiles_b[reading * kFloatsB + k * CopiesB::kStep + thread];
        }
      }
    }
    if constexpr (!kWhole) copy_all(tile + kStages - 1, writing);
    const float* const a = tiles_a + reading * kFloatsA + row;
    const float* const b = tiles_b + reading * kFloatsB + col;
#pragma unroll
    for (int k = 0; k < kDepth; k += 2) {
      // The copies of the tile ahead, in two bunches: each one costs some cycles of its own. What
      // must be finished is begun first, and finished bit by bit in the second half.
      if (kWhole && k == 0) {
#pragma unroll
        for (int i = 0; i < CopiesA::kCount; ++i) copies_a.copy(i, tiles_a + writing * kFloatsA);
      }
      if (kWhole && k == (CopiesB::kHasFinish ? 0 : kDepth / 2)) {
#pragma unroll
        for (int i = 0; i < CopiesB::kCount; ++i) copies_b.copy(i, tiles_b + writing * kFloatsB);
      }
      if (kWhole && k >= kDepth / 2) {
        constexpr int kParts = kDepth / 4;
        const int part = (k - kDepth / 2) / 2;
#pragma unroll
        for (int i = 0; i < CopiesA::kCount; ++i) {
          if (i * kParts / CopiesA::kCount != part) continue;
          copies_a.finish(i, tiles_a + writing * kFloatsA);
        }
#pragma unroll
        for (int i = 0; i < CopiesB::kCount; ++i) {
          if (i * kParts / CopiesB::kCount != part) continue;
          copies_b.finish(i, tiles_b + writing * kFloatsB);
        }
      }
      odd.load(a + (k + 1) * CopiesA::kStep, b + (k + 1) * CopiesB::kStep);
      sums.add(even);
      if (k + 2 < kDepth) {
        even.load(a + (k + 2) * CopiesA::kStep, b + (k + 2) * CopiesB::kStep);
      } else {
        __pipeline_commit();
        if (kWhole || tile + 1 < count) {
          // The next tile has come. The one that was just read is in nobody's way any more: its
          // last step is in registers, and the next copies may go there.
          __pipeline_wait_prior(kStages - 2);
          __syncthreads();
          writing = reading;
          reading = next_stage(reading);
          even.load(tiles_a + reading * kFloatsA + row, tiles_b + reading * kFloatsB + col);
        }
      }
      sums.add(odd);
    }
    if constexpr (kWhole) {
      copies_a.next();
      copies_b.next();
    }
  };
  int tile = 0;
  for (; tile + kStages - 1 < whole; ++tile) multiply(tile, std::true_type{});
  for (; tile < count; ++tile) multiply(tile, std::false_type{});

  sums.template store<kAccumulate>(task, task.row + row, task.col + col);
  if (has_column && task.col + thread < task.cols) {
    task.column_sums[task.col + thread] += column_sum;
  }
}

// Operands are moved in packs where they can be: both, B alone, or none.
template <class Tile, Lies kA, Lies kB, bool kAccumulate, bool kColumnSums, class Tasks>
void launch_gemm(const Tasks& tasks, cudaStream_t stream) {
  constexpr int kMostA = pack_of<Tile>(kA), kMostB = pack_of<Tile>(kB);
  const auto launch = [&](auto pack_a, auto pack_b) {
    gemm_kernel<Tile, kA, kB, decltype(pack_a)::value, decltype(pack_b)::value, kAccumulate,
                kColumnSums><<<tasks.template blocks<Tile>(), Tile::kThreads, 0, stream>>>(tasks);
  };
  constexpr std::integral_constant<int, 1> kSingle;
  constexpr std::integral_constant<int, kMostA> kPackA;
  constexpr std::integral_constant<int, kMostB> kPackB;
  if (!tasks.b().has_packs_of(kMostB)) {
    launch(kSingle, kSingle);
  } else if (!tasks.a().has_packs_of(kMostA)) {
    launch(kSingle, kPackB);
  } else {
    launch(kPackA, kPackB);
  }
}

// Tasks also say how many `blocks` their grid has, and how the operands a() and b() begin.
template <Lies kA, Lies kB, bool kAccumulate, bool kColumnSums = false, class Tasks>
void gemm(TileSize size, const Tasks& tasks, cudaStream_t stream) {
  switch (size) {
    case TileSize::kLarge:
      return launch_gemm<LargeTile, kA, kB, kAccumulate, kColumnSums>(tasks, stream);
    case TileSize::kSmall:
      return launch_gemm<SmallTile, kA, kB, kAccumulate, kColumnSums>(tasks, stream);
    case TileSize::kTiny:
      return launch_gemm<TinyTile, kA, kB, kAccumulate, kColumnSums>(tasks, stream);
  }
}

}  // namespace fast
