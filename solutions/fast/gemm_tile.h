// The shapes of a block's tile of C, and which of them suits a product.
#pragma once

#include <cuda_runtime.h>

namespace fast {

// A warp's lanes stand kLanesDown x kLanesAcross; each computes kDown x kAcross elements, in groups
// of 4 x 4 that lie a lane grid apart. Then the lanes that are served together read at most 128
// neighbouring bytes, without bank conflicts.
template <int kRows_, int kCols_, int kDepth_, int kStages_, int kLanesDown_, int kDown_,
          int kAcross_, int kResident_>
struct GemmTile {
  static constexpr int kRows = kRows_, kCols = kCols_;
  static constexpr int kDepth = kDepth_;    // steps of the sum that are copied together
  static constexpr int kStages = kStages_;  // tiles in shared memory: one is read, the others come
  static constexpr int kLanesDown = kLanesDown_, kLanesAcross = 32 / kLanesDown_;
  static constexpr int kDown = kDown_, kAcross = kAcross_;  // elements of a thread
  static constexpr int kWarpRows = kLanesDown * kDown, kWarpCols = kLanesAcross * kAcross;
  static constexpr int kThreads = kRows / kWarpRows * (kCols / kWarpCols) * 32;
  static constexpr int kResident = kResident_;  // blocks on a multiprocessor
  // Turned operands come through registers (gemm_copies.h) where a tile is multiplied for as long
  // as their loads take, and where it has the registers.
  static constexpr bool kTurnsInRegisters = kDown * kAcross >= 128;

  __host__ __device__ static int down(int rows) { return (rows - 1) / kRows + 1; }
  __host__ __device__ static int across(int cols) { return (cols - 1) / kCols + 1; }
  static_assert(kRows % kWarpRows == 0 && kCols % kWarpCols == 0);
  static_assert(kDepth % 4 == 0 && kDown % 4 == 0 && kAcross % 4 == 0);
};

// 128 products for every 6 loads of 16 bytes from shared memory. Two blocks of 4 warps a
// multiprocessor fill its registers, and while one waits at a barrier the other computes. At 4096,
// an H200 reaches 48.3 (nn), 46.2 (nt) and 50.5 TFLOP/s (tn) with three stages of 8 steps; 48.3,
// 46.0 and 50.3 with four; 47.9, 46.2 and 50.7 with three of 16. With turned operands copied float
// by float it was 47.7, 45.5 and 50.1.
using LargeTile = GemmTile<128, 128, 8, 3, 8, 8, 16, 2>;
// For products that have few large tiles, or would waste much of them.
using SmallTile = GemmTile<64, 64, 16, 3, 4, 8, 4, 4>;
using TinyTile = GemmTile<16, 32, 16, 4, 4, 4, 4, 12>;

enum class TileSize { kLarge, kSmall, kTiny };

template <class Tile>
long long tiles_of(int rows, int cols) {
  return static_cast<long long>(Tile::down(rows)) * Tile::across(cols);
}

// `groups` products of rows x cols elements.
struct ProductShape {
  int groups, rows, cols;

  template <class Tile>
  long long tiles() const {
    return groups * tiles_of<Tile>(rows, cols);
  }
};

inline TileSize tile_size(const ProductShape& shape) {
  const long long large = shape.tiles<LargeTile>(), small = shape.tiles<SmallTile>();
  // Three quarters of the large tiles, and an eighth of the small ones, that an H200 holds at a
  // time. A large tile is as much work as four small ones, but done a third faster.
  if (large >= 198 && large * 3 <= small) return TileSize::kLarge;
  if (small >= 66 && small * 3 <= shape.tiles<TinyTile>()) return TileSize::kSmall;
  return TileSize::kTiny;
}

// Which tile block `block` has: 16 rows of tiles are gone through column by column, so blocks that
// run at a time form a patch about as high as wide, and share what they read in the L2 cache.
struct TilePlace {
  int down, across;
};

__device__ inline TilePlace place_of(int block, int tiles_down, int tiles_across) {
  constexpr int kHigh = 16;
  const int patch = block / (kHigh * tiles_across);
  const int within = block - patch * kHigh * tiles_across;
  const int high = min(kHigh, tiles_down - patch * kHigh);
  const int across = within / high;
  return {patch * kHigh + within - across * high, across};
}

}  // namespace fast
