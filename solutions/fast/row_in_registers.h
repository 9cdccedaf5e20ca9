// A short row that a few lanes of a warp hold in registers: reading it, its softmax, and its
// largest numbers one after the other.
//
// As few lanes as can hold a row share it: fewer steps of a butterfly for each row. Every lane of
// the warp must call these functions together.
#pragma once

#include <climits>
#include <cmath>

#include "vectors.h"
#include "warp.h"

namespace fast {

// `lanes` lanes, `held` numbers in each, which come `width` at a time: with 4, 16 bytes, and then
// the length of a row is a multiple of 4.
template <int lanes, int held, int width>
struct RowShape {
  static constexpr int kLanes = lanes;
  static constexpr int kHeld = held;
  static constexpr int kWidth = width;

  // The column of a lane's i-th number; grows with i.
  static __device__ int column(int lane, int i) {
    return (i / width * lanes + lane) * width + i % width;
  }
};

// numbers: this lane's; `nothing` past the end of the row, and all of them where it is not `live`.
template <class Shape>
__device__ void load_row(float (&numbers)[Shape::kHeld], const float* row, int cols, int lane,
                         bool live, float nothing) {
#pragma unroll
  for (int i = 0; i < Shape::kHeld; i += Shape::kWidth) {
    const int column = Shape::column(lane, i);
    const bool there = live && column < cols;
    if constexpr (Shape::kWidth == 4) {
      const float4 four = there ? *reinterpret_cast<const float4*>(row + column)
                                : make_float4(nothing, nothing, nothing, nothing);
      numbers[i] = four.x;
      numbers[i + 1] = four.y;
      numbers[i + 2] = four.z;
      numbers[i + 3] = four.w;
    } else {
      numbers[i] = there ? row[column] : nothing;
    }
  }
}

template <class Shape>
__device__ void store_row(float* row, const float (&numbers)[Shape::kHeld], int cols, int lane) {
#pragma unroll
  for (int i = 0; i < Shape::kHeld; i += Shape::kWidth) {
    const int column = Shape::column(lane, i);
    if (column >= cols) continue;
    if constexpr (Shape::kWidth == 4) {
      *reinterpret_cast<float4*>(row + column) =
          make_float4(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
    } else {
      row[column] = numbers[i];
    }
  }
}

// In place; what is not there is -inf, and weighs nothing.
template <class Shape>
__device__ void softmax_row(float (&numbers)[Shape::kHeld]) {
  float largest = -INFINITY;
#pragma unroll
  for (const float number : numbers) largest = fmaxf(largest, number);
  largest = lanes_max(largest, Shape::kLanes);
  float sum = 0.0f;
#pragma unroll
  for (float& number : numbers) {
    number = expf(number - largest);
    sum += number;
  }
  const float factor = 1.0f / lanes_sum(sum, Shape::kLanes);
#pragma unroll
  for (float& number : numbers) number *= factor;
}

// ---- Choices: whole numbers in the same order ----

// No number has this key: taken, or not there.
constexpr unsigned kNoKey = 0;

// Of two numbers the larger has the larger key; -0 and +0 share theirs. -inf has 0x007fffff.
__device__ inline unsigned key_of(float number) {
  const unsigned bits = __float_as_uint(number + 0.0f);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

__device__ inline float number_of(unsigned key) {
  return __uint_as_float((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}

template <class Shape>
__device__ void keys_of_row(unsigned (&keys)[Shape::kHeld], const float (&numbers)[Shape::kHeld],
                            int cols, int lane, bool live) {
#pragma unroll
  for (int i = 0; i < Shape::kHeld; ++i) {
    keys[i] = live && Shape::column(lane, i) < cols ? key_of(numbers[i]) : kNoKey;
  }
}

struct Pick {
  unsigned key;
  int column;
};

// The largest number that is left, the first of equal ones. Every lane gets it, and it is marked as
// taken.
template <class Shape>
__device__ Pick take_largest(unsigned (&keys)[Shape::kHeld], int lane) {
  unsigned best = kNoKey;
#pragma unroll
  for (const unsigned key : keys) best = max(best, key);
#pragma unroll
  for (int step = Shape::kLanes / 2; step > 0; step /= 2) {
    best = max(best, __shfl_xor_sync(kAllLanes, best, step));
  }
  int column = INT_MAX;
#pragma unroll
  for (int i = Shape::kHeld - 1; i >= 0; --i) {
    column = keys[i] == best ? Shape::column(lane, i) : column;
  }
#pragma unroll
  for (int step = Shape::kLanes / 2; step > 0; step /= 2) {
    column = min(column, __shfl_xor_sync(kAllLanes, column, step));
  }
#pragma unroll
  for (int i = 0; i < Shape::kHeld; ++i) {
    if (Shape::column(lane, i) == column) keys[i] = kNoKey;
  }
  return {best, column};
}

// ---- The shape for a row ----

constexpr int kMostInRegisters = 32 * 32;

// Calls `launch` with the narrowest shape that holds `cols` numbers and has a lane for each of k.
template <int width, class Launch>
void with_row_shape(int cols, int k, Launch launch) {
  if (cols <= 8 * 8 && k <= 8) return launch(RowShape<8, 8, width>{});
  if (cols <= 16 * 8 && k <= 16) return launch(RowShape<16, 8, width>{});
  if (cols <= 32 * 8) return launch(RowShape<32, 8, width>{});
  return launch(RowShape<32, 32, width>{});
}

// vectors: the arrays' addresses allow 16 bytes at a time, if the row's length does.
template <class Launch>
void with_row_shape(int cols, int k, bool vectors, Launch launch) {
  if (vectors && cols % 4 == 0) {
    with_row_shape<4>(cols, k, launch);
  } else {
    with_row_shape<1>(cols, k, launch);
  }
}

}  // namespace fast
