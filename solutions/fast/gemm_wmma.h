// Three TF32 products a term by CUDA's warp matrix functions: any GPU from sm_80 on, and the CPU
// runtime. See gemm_tensor.h for the splitting and its error.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <mma.h>

#include "gemm_tensor.h"

namespace fast {

template <int kWarpsDown_, int kWarpsAcross_, int kDown_, int kAcross_, int kDepth_, int kStages_,
          int kResident_>
struct WmmaTile {
  static constexpr int kDown = kDown_, kAcross = kAcross_;  // fragments of a warp, 16 x 16
  static constexpr int kWarpsAcross = kWarpsAcross_;
  static constexpr int kRows = 16 * kDown * kWarpsDown_, kCols = 16 * kAcross * kWarpsAcross_;
  static constexpr int kDepth = kDepth_, kStages = kStages_;
  static constexpr int kThreads = 32 * kWarpsDown_ * kWarpsAcross_, kResident = kResident_;
  __host__ __device__ static constexpr int down(int rows) { return (rows - 1) / kRows + 1; }
  __host__ __device__ static constexpr int across(int cols) { return (cols - 1) / kCols + 1; }
};

// A tile of an operand, copied as it lies: [width][depth] or [depth][width].
template <int kWidth, int kDepth, int kThreads, Lies kLies, int kPack>
class AsItLies {
  static constexpr bool kTurned = kLies == Lies::kTurned;
  static constexpr int kRow = kTurned ? kDepth : kWidth, kRows = kTurned ? kWidth : kDepth;
  static constexpr int kAcross = kRow / kPack, kRowStride = kThreads / kAcross;
  static constexpr int kCount = kRows / kRowStride;
  static_assert(kThreads % kAcross == 0 && kRows % kRowStride == 0);

 public:
  // 8 rows x 4 columns that are read at a time lie in 32 banks; either way round.
  static constexpr int kStep = kRow + (kTurned ? 4 : 8);
  static constexpr int kFloats = kRows * kStep;
  using Layout = std::conditional_t<kTurned, nvcuda::wmma::row_major, nvcuda::wmma::col_major>;

  __device__ AsItLies(const float* operand, int stride, int first, int end)
      : operand_(operand), stride_(stride), first_(first), last_(end - 1) {}

  __device__ void copy(float* tile, int step, int depth) const {
    const int x = static_cast<int>(threadIdx.x) % kAcross * kPack;
    const int y = static_cast<int>(threadIdx.x) / kAcross;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const int row = y + i * kRowStride;
      const int k = step + (kTurned ? x : row);
      const int w = first_ + (kTurned ? row : x);
      float* const to = tile + row * kStep + x;
      if (k < depth) {
        const int there = kTurned ? min(w, last_) : min(w, last_ + 1 - kPack);
        const std::size_t at = kTurned ? static_cast<std::size_t>(there) * stride_ + k
                                       : static_cast<std::size_t>(k) * stride_ + there;
        __pipeline_memcpy_async(to, operand_ + at, kPack * sizeof(float));
      } else {
#pragma unroll
        for (int j = 0; j < kPack; ++j) to[j] = 0.0f;
      }
    }
  }

  // Where the element (w, k) is.
  __device__ static const float* at(const float* tile, int w, int k) {
    return tile + (kTurned ? w * kStep + k : k * kStep + w);
  }

 private:
  const float* operand_;
  int stride_, first_, last_;
};

template <class Fragment>
__device__ void split_fragment(Fragment& big, Fragment& small) {
#pragma unroll
  for (int i = 0; i < Fragment::num_elements; ++i) {
    const float x = big.x[i];
    big.x[i] = nvcuda::wmma::__float_to_tf32(x);
    small.x[i] = nvcuda::wmma::__float_to_tf32(x - big.x[i]);
  }
}

template <class Tile, Lies kA, Lies kB, int kPackA, int kPackB, bool kAccumulate, class Tasks>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kResident)
wmma_kernel(const Tasks tasks) {
  namespace wmma = nvcuda::wmma;
  constexpr int kDepth = Tile::kDepth, kStages = Tile::kStages;
  constexpr int kDown = Tile::kDown, kAcross = Tile::kAcross;
  using CopiesA = AsItLies<Tile::kRows, kDepth, Tile::kThreads, kA, kPackA>;
  using CopiesB = AsItLies<Tile::kCols, kDepth, Tile::kThreads, kB, kPackB>;
  using LayoutA = typename CopiesA::Layout;
  // B is [k][n]: turned, its columns are contiguous.
  using LayoutB = std::conditional_t<kB == Lies::kTurned, wmma::col_major, wmma::row_major>;
  using FragmentA = wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, LayoutA>;
  using FragmentB = wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, LayoutB>;
  using Sums = wmma::fragment<wmma::accumulator, 16, 16, 8, float>;
  extern __shared__ float4 shared[];
  float* const tiles_a = reinterpret_cast<float*>(shared);
  float* const tiles_b = tiles_a + kStages * CopiesA::kFloats;

  GemmTask task;
  if (!tasks.template find<Tile>(static_cast<int>(blockIdx.x), task)) return;  // the whole block

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row = warp / Tile::kWarpsAcross * kDown * 16;
  const int col = warp % Tile::kWarpsAcross * kAcross * 16;
  const CopiesA a(task.A, task.stride_a, task.row, task.rows);
  const CopiesB b(task.B, task.stride_b, task.col, task.cols);
  const int count = (task.depth + kDepth - 1) / kDepth;
  const auto copy = [&](int tile) {
    const int stage = tile % kStages;
    if (tile < count) {
      a.copy(tiles_a + stage * CopiesA::kFloats, tile * kDepth, task.depth);
      b.copy(tiles_b + stage * CopiesB::kFloats, tile * kDepth, task.depth);
    }
    __pipeline_commit();
  };

  Sums sums[kDown][kAcross];
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
  }
  for (int tile = 0; tile < kStages - 1; ++tile) copy(tile);
#pragma unroll 1
  for (int tile = 0; tile < count; ++tile) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    copy(tile + kStages - 1);
    const float* const from_a = tiles_a + tile % kStages * CopiesA::kFloats;
    const float* const from_b = tiles_b + tile % kStages * CopiesB::kFloats;
    Sums part[kDown][kAcross];
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
#pragma unroll
      for (int j = 0; j < kAcross; ++j) wmma::fill_fragment(part[i][j], 0.0f);
    }
#pragma unroll
    for (int k = 0; k < kDepth; k += 8) {
      FragmentB big_b[kAcross], small_b[kAcross];
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
        wmma::load_matrix_sync(big_b[j], b.at(from_b, col + 16 * j, k), CopiesB::kStep);
        split_fragment(big_b[j], small_b[j]);
      }
      FragmentA big_a[kDown], small_a[kDown];
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
        wmma::load_matrix_sync(big_a[i], a.at(from_a, row + 16 * i, k), CopiesA::kStep);
        split_fragment(big_a[i], small_a[i]);
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
#pragma unroll
        for (int j = 0; j < kAcross; ++j) {
          wmma::mma_sync(part[i][j], small_a[i], big_b[j], part[i][j]);
        }
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
#pragma unroll
        for (int j = 0; j < kAcross; ++j) {
          wmma::mma_sync(part[i][j], big_a[i], small_b[j], part[i][j]);
        }
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
#pragma unroll
        for (int j = 0; j < kAcross; ++j) {
          wmma::mma_sync(part[i][j], big_a[i], big_b[j], part[i][j]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
#pragma unroll
        for (int e = 0; e < Sums::num_elements; ++e) sums[i][j].x[e] += part[i][j].x[e];
      }
    }
  }

  // To C by way of shared memory: only there it is known which element is whose.
  __pipeline_wait_prior(0);
  __syncthreads();
  constexpr int kStep = Tile::kCols + 8;
  float* const tile_c = reinterpret_cast<float*>(shared);
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      wmma::store_matrix_sync(tile_c + (row + 16 * i) * kStep + col + 16 * j, sums[i][j], kStep,
                              wmma::mem_row_major);
    }
  }
  __syncthreads();
  const int x = static_cast<int>(threadIdx.x) % Tile::kCols;
  if (task.col + x >= task.cols) return;
  for (int y = static_cast<int>(threadIdx.x) / Tile::kCols;
       y < Tile::kRows && task.row + y < task.rows; y += Tile::kThreads / Tile::kCols) {
    float sum = tile_c[y * kStep + x];
    if (!(fabsf(sum) <= FLT_MAX)) sum = plain_element<kA, kB>(task, task.row + y, task.col + x);
    float* const to = task.C + static_cast<std::size_t>(task.row + y) * task.cols + task.col + x;
    *to = kAccumulate ? *to + sum : sum;
  }
}

template <class Tile, Lies kA, Lies kB, int kPackA, int kPackB>
constexpr int wmma_shared_bytes() {
  const int stages =
      Tile::kStages * (AsItLies<Tile::kRows, Tile::kDepth, Tile::kThreads, kA, kPackA>::kFloats +
                       AsItLies<Tile::kCols, Tile::kDepth, Tile::kThreads, kB, kPackB>::kFloats);
  const int c = Tile::kRows * (Tile::kCols + 8);
  return 4 * (stages > c ? stages : c);
}

}  // namespace fast
