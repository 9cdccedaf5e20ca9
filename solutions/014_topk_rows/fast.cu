// 014 topk_rows, fast: several rows a warp, each row read once and kept in registers.
//
// The clear version reads its row again for each pick, 4 bytes a lane. Here a row's scores come
// once, 16 bytes a lane where the row allows it, and become whole numbers in the same order: so a
// pick is a maximum of integers and a minimum of columns, and a score that was taken becomes 0,
// below all of them. As few lanes as can hold a row share it: fewer steps of the butterfly for each
// row. Rows too long for registers are read again for each pick.
#include <cstdint>

#include "../fast/row_in_registers.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarpSize = 32;

// Lane j keeps pick j, so k <= lanes.
template <class Shape>
__global__ void __launch_bounds__(kThreads)
topk_rows_kernel(const float* scores, float* values, int* indices, int rows, int cols, int k) {
  const int lane = threadIdx.x % Shape::kLanes;
  const int row = blockIdx.x * (kThreads / Shape::kLanes) + threadIdx.x / Shape::kLanes;
  const bool live = row < rows;  // else the lanes only take part in the shuffles

  float numbers[Shape::kHeld];
  unsigned keys[Shape::kHeld];
  fast::load_row<Shape>(numbers, scores + (live ? row * cols : 0), cols, lane, live, 0.0f);
  fast::keys_of_row<Shape>(keys, numbers, cols, lane, live);

  fast::Pick kept{fast::kNoKey, 0};
  for (int pick = 0; pick < k; ++pick) {
    const fast::Pick best = fast::take_largest<Shape>(keys, lane);
    if (lane == pick) kept = best;
  }

  if (live && lane < k) {
    values[row * k + lane] = fast::number_of(kept.key);
    indices[row * k + lane] = kept.column;
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
      const std::uint64_t key =
          std::uint64_t{fast::key_of(scores[row * cols + column])} << 32 | ~column;
      if (key < last && key > best) best = key;
    }
    for (int bit = kWarpSize / 2; bit > 0; bit /= 2) {
      const std::uint64_t other = __shfl_xor_sync(fast::kAllLanes, best, bit);
      best = other > best ? other : best;
    }
    last = best;
    if (lane == 0) {
      values[row * k + pick] = fast::number_of(static_cast<unsigned>(best >> 32));
      indices[row * k + pick] = static_cast<int>(~static_cast<unsigned>(best));
    }
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;

  if (cols > fast::kMostInRegisters) {
    constexpr int kRows = kThreads / kWarpSize;
    long_rows_kernel<<<(rows + kRows - 1) / kRows, kThreads, 0, stream>>>(scores, values, indices,
                                                                          rows, cols, k);
    return;
  }
  fast::with_row_shape(cols, k, fast::aligned(scores), [=]<class Shape>(Shape) {
    constexpr int kRows = kThreads / Shape::kLanes;
    topk_rows_kernel<Shape><<<(rows + kRows - 1) / kRows, kThreads, 0, stream>>>(
        scores, values, indices, rows, cols, k);
  });
}
