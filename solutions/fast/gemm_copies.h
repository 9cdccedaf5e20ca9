// How a block of a matrix product brings an operand into shared memory: a tile of kWidth rows or
// columns by kDepth steps of the sum, held step by step (k-major), so that what a thread multiplies
// at one step lies side by side.
//
// Rows and columns past the end are copies of the last one: no copy has a condition, and nobody
// stores what is computed from them. Steps past the end are zeros.
//
// copy(i) begins copy i of kCount; finish(i), some time later, is for those that do not end by
// themselves.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "vectors.h"

namespace fast {

// Floats between one step and the next: rows stay aligned to 16 bytes, and 8 steps of 4 neighbours
// lie in 32 different banks.
constexpr int kStepPad = 4;

// Where a thread finds its part of an operand that lies [width, depth] in memory, steps side by
// side: kAcross lanes share a row, with kPack steps each.
template <int kWidth, int kDepth, int kThreads, int kAcross, int kPack>
class TurnedRows {
  static constexpr int kRowStride = kThreads / kAcross;
  static constexpr int kGroup = kAcross * kPack;     // steps of a row that its lanes have at once
  static constexpr int kRows = kWidth / kRowStride;  // of a thread
  static_assert(kWidth % kRowStride == 0 && kDepth % kGroup == 0 && kWidth % 8 == 0);

 public:
  static constexpr int kCount = kRows * (kDepth / kGroup);
  static constexpr int kStep = kWidth + kStepPad;

  __device__ void next() {
#pragma unroll
    for (int i = 0; i < kRows; ++i) from_[i] += kDepth;
  }

 protected:
  __device__ TurnedRows(const float* operand, int stride, int first, int end)
      : k_(static_cast<int>(threadIdx.x) % kAcross * kPack),
        to_(k_ * kStep + static_cast<int>(threadIdx.x) / kAcross) {
    const int row = first + static_cast<int>(threadIdx.x) / kAcross;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      from_[i] = operand + static_cast<std::size_t>(min(row + i * kRowStride, end - 1)) * stride;
      from_[i] += k_;
    }
  }

  // The first step of copy i, of this tile.
  __device__ int step(int i) const {
    return k_ + i / kRows * kGroup;
  }
  __device__ const float* source(int i) const {
    return from_[i % kRows] + i / kRows * kGroup;
  }
  __device__ float* target(int i, float* tile) const {
    return tile + to_ + i % kRows * kRowStride + i / kRows * kGroup * kStep;
  }

 private:
  int k_, to_;
  const float* from_[kRows];
};

// Turned on the way, by copies of one float. Eight lanes have a sector of 32 bytes, and a warp's
// four rows go to 32 banks.
template <int kWidth, int kDepth, int kThreads>
class TurnedCopies : public TurnedRows<kWidth, kDepth, kThreads, 8, 1> {
  using Rows = TurnedRows<kWidth, kDepth, kThreads, 8, 1>;
  static_assert(kWidth % 16 == 0);

 public:
  static constexpr bool kHasFinish = false;

  __device__ TurnedCopies(const float* operand, int stride, int first, int end)
      : Rows(operand, stride, first, end) {}

  // Of a tile with all its steps.
  __device__ void copy(int i, float* tile) const {
    __pipeline_memcpy_async(Rows::target(i, tile), Rows::source(i), sizeof(float));
  }

  // The same where only `left` steps are left.
  __device__ void copy(int i, float* tile, int left) const {
    if (Rows::step(i) < left) {
      copy(i, tile);
    } else {
      *Rows::target(i, tile) = 0.0f;
    }
  }

  __device__ void finish(int, float*) const {}
};

// The same through registers: loads of 16 bytes, which finish() stores a float at a time. Two lanes
// have a sector, and 4 steps on are 16 banks on. Global memory is asked a quarter as often, and the
// stores go where the loop has room for them.
template <int kWidth, int kDepth, int kThreads>
class TurnedLoads : public TurnedRows<kWidth, kDepth, kThreads, 2, 4> {
  using Rows = TurnedRows<kWidth, kDepth, kThreads, 2, 4>;

 public:
  static constexpr bool kHasFinish = true;

  __device__ TurnedLoads(const float* operand, int stride, int first, int end)
      : Rows(operand, stride, first, end) {}

  __device__ void copy(int i, float*) { fours_[i] = load4(Rows::source(i)); }

  // Depth and stride are one number here, a multiple of 4: four steps are left, or none.
  __device__ void copy(int i, float* tile, int left) {
    if (Rows::step(i) < left) {
      copy(i, tile);
    } else {
      fours_[i] = filled<float4>(0.0f);
    }
  }

  __device__ void finish(int i, float* tile) const {
    float* const to = Rows::target(i, tile);
    to[0] = fours_[i].x;
    to[Rows::kStep] = fours_[i].y;
    to[2 * Rows::kStep] = fours_[i].z;
    to[3 * Rows::kStep] = fours_[i].w;
  }

 private:
  float4 fours_[Rows::kCount];
};

// The operand lies [depth, width] in memory, as the tile does: copied by packs of 4 floats, or of 1
// where the addresses or the width do not allow that.
template <int kWidth, int kDepth, int kThreads, int kPack>
class StraightCopies {
  static constexpr int kAcross = kWidth / kPack;
  static constexpr int kStepStride = kThreads / kAcross;
  static_assert(kThreads % kAcross == 0 && kDepth % kStepStride == 0);

 public:
  static constexpr bool kHasFinish = false;
  static constexpr int kCount = kDepth / kStepStride;
  static constexpr int kStep = kWidth + kStepPad;

  __device__ StraightCopies(const float* operand, int stride, int first, int end)
      : stride_(static_cast<std::size_t>(stride)), k_(static_cast<int>(threadIdx.x) / kAcross) {
    const int x = static_cast<int>(threadIdx.x) % kAcross * kPack;
    from_ = operand + static_cast<std::size_t>(k_) * stride_ + min(first + x, end - kPack);
    to_ = k_ * kStep + x;
  }

  __device__ void copy(int i, float* tile) const {
    __pipeline_memcpy_async(tile + to_ + i * kStepStride * kStep,
                            from_ + static_cast<std::size_t>(i * kStepStride) * stride_,
                            kPack * sizeof(float));
  }

  __device__ void copy(int i, float* tile, int left) const {
    if (k_ + i * kStepStride < left) {
      copy(i, tile);
    } else {
#pragma unroll
      for (int j = 0; j < kPack; ++j) tile[to_ + i * kStepStride * kStep + j] = 0.0f;
    }
  }

  __device__ void finish(int, float*) const {}

  __device__ void next() {
    from_ += kDepth * stride_;
  }

 private:
  const float* from_;
  std::size_t stride_;
  int k_, to_;
};

}  // namespace fast
