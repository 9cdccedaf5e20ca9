// 014 topk_rows, fast: several rows a warp, each row read once and kept in registers.
//
// The clear version reads its row again for each pick, 4 bytes a lane. Here a row's scores come
// once, 16 bytes a lane where the row allows it, and become whole numbers in the same order: so a
// pick is a maximum of integers and a minimum of columns, and a score that was taken becomes 0,
// below all of them. As few lanes as can hold a row share it: fewer steps of the butterfly for each
// row. Rows too long for registers are read again for each pick.
#include <climits>
#include <cmath>
#include <cstdint>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarpSize = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// No score has this key: taken, or not there.
constexpr unsigned kNoKey = 0;

// Of two scores the larger has the larger key; -0 and +0 share theirs. -inf has 0x007fffff.
__device__ unsigned key_of(float score) {
  const unsigned bits = __float_as_uint(score + 0.0f);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

__device__ float score_of(unsigned key) {
  return __uint_as_float((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}

// `lanes` lanes hold a row, `held` scores each; they come in vectors of `width`. Lane j keeps pick
// j, so k <= lanes.
template <int lanes, int held, int width>
__global__ void __launch_bounds__(kThreads)
topk_rows_kernel(const float* scores, float* values, int* indices, int rows, int cols, int k) {
  const int lane = threadIdx.x % lanes;
  const int row = blockIdx.x * (kThreads / lanes) + threadIdx.x / lanes;
  const bool live = row < rows;  // else the lanes only take part in the shuffles
  const auto column_of = [lane](int i) {
    return (i / width * lanes + lane) * width + i % width;  // grows with i
  };

  unsigned keys[held];
#pragma unroll
  for (int i = 0; i < held; i += width) {
    const int column = column_of(i);
    const bool there = live && column < cols;  // with width 4, cols is a multiple of 4
    if constexpr (width == 4) {
      const float4 four = there ? *reinterpret_cast<const float4*>(scores + row * cols + column)
                                : make_float4(0, 0, 0, 0);
      keys[i] = there ? key_of(four.x) : kNoKey;
      keys[i + 1] = there ? key_of(four.y) : kNoKey;
      keys[i + 2] = there ? key_of(four.z) : kNoKey;
      keys[i + 3] = there ? key_of(four.w) : kNoKey;
    } else {
      keys[i] = there ? key_of(scores[row * cols + column]) : kNoKey;
    }
  }

  unsigned kept_key = kNoKey;
  int kept_column = 0;
  for (int pick = 0; pick < k; ++pick) {
    unsigned best = kNoKey;
#pragma unroll
    for (int i = 0; i < held; ++i) best = max(best, keys[i]);
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
      best = max(best, __shfl_xor_sync(kAllLanes, best, bit));
    }
    int column = INT_MAX;  // the lowest that has it
#pragma unroll
    for (int i = held - 1; i >= 0; --i) column = keys[i] == best ? column_of(i) : column;
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
      column = min(column, __shfl_xor_sync(kAllLanes, column, bit));
    }
#pragma unroll
    for (int i = 0; i < held; ++i) keys[i] = column_of(i) == column ? kNoKey : keys[i];
    if (lane == pick) {
      kept_key = best;
      kept_column = column;
    }
  }

  if (live && lane < k) {
    values[row * k + lane] = score_of(kept_key);
    indices[row * k + lane] = kept_column;
  }
}

// For rows of any length, a warp each: a pick is the largest key after the last one, seen as one
// number with the column below it, turned round so that the lower one wins.
__global__ void __launch_bounds__(kThreads)
long_rows_kernel(const float* scores, float* values, int* indices, int rows, int cols, int k) {
  const int lane = threadIdx.x % kWarpSize;
  const int row = blockIdx.x * (kThreads / kWarpSize) + threadIdx.x / kWarpSize;
  if (row >= rows) return;  // all lanes of the warp

  std::uint64_t last = ~std::uint64_t{0};  // before every column
  for (int pick = 0; pick < k; ++pick) {
    std::uint64_t best = 0;
    for (unsigned column = lane; column < static_cast<unsigned>(cols); column += kWarpSize) {
      const std::uint64_t key = std::uint64_t{key_of(scores[row * cols + column])} << 32 | ~column;
      if (key < last && key > best) best = key;
    }
    for (int bit = kWarpSize / 2; bit > 0; bit /= 2) {
      const std::uint64_t other = __shfl_xor_sync(kAllLanes, best, bit);
      best = other > best ? other : best;
    }
    last = best;
    if (lane == 0) {
      values[row * k + pick] = score_of(static_cast<unsigned>(best >> 32));
      indices[row * k + pick] = static_cast<int>(~static_cast<unsigned>(best));
    }
  }
}

// Calls `launch` with the numbers of the narrowest kernel that holds a row: lanes, scores a lane.
template <int width, class Launch>
void with_lanes(int cols, int k, Launch launch) {
  if (cols <= 8 * 8 && k <= 8) return launch.template operator()<8, 8, width>();
  if (cols <= 16 * 8) return launch.template operator()<16, 8, width>();
  if (cols <= 32 * 8) return launch.template operator()<32, 8, width>();
  return launch.template operator()<32, 32, width>();
}

constexpr int kMostInRegisters = 32 * 32;

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;

  if (cols > kMostInRegisters) {
    constexpr int kRows = kThreads / kWarpSize;
    long_rows_kernel<<<(rows + kRows - 1) / kRows, kThreads, 0, stream>>>(scores, values, indices,
                                                                          rows, cols, k);
    return;
  }
  const auto launch = [&]<int lanes, int held, int width>() {
    constexpr int kRows = kThreads / lanes;
    topk_rows_kernel<lanes, held, width><<<(rows + kRows - 1) / kRows, kThreads, 0, stream>>>(
        scores, values, indices, rows, cols, k);
  };
  const bool vectors = cols % 4 == 0 && reinterpret_cast<std::uintptr_t>(scores) % 16 == 0;
  if (vectors) {
    with_lanes<4>(cols, k, launch);
  } else {
    with_lanes<1>(cols, k, launch);
  }
}
