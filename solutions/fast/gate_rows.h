// Rows of k numbers as fours of elements, for 015 and 016: a row of up to 4 lies in one lane's
// four, one of 8 or 16 in those of 2 or 4 neighbouring lanes.
#pragma once

#include "fours.h"
#include "warp.h"

namespace fast {

// For each element of a lane's four the sum of its row. The lanes of a row call together.
template <int kRow>
__device__ float4 row_sums(float4 v) {
  if constexpr (kRow == 1) {
    return v;
  } else if constexpr (kRow == 2) {
    const float first = v.x + v.y, second = v.z + v.w;
    return make_float4(first, first, second, second);
  } else {
    constexpr int kLanes = kRow / 4;
    const unsigned begin = threadIdx.x % 32 / kLanes * kLanes;
    const unsigned lanes = ((1u << kLanes) - 1) << begin;
    float sum = sum_of(v);
    for (int step = 1; step < kLanes; step *= 2) sum += __shfl_xor_sync(lanes, sum, step);
    return filled<float4>(sum);
  }
}

// launch(Row<k>{}) where rows of k can be fours, else otherwise().
template <int kRow>
struct Row {
  static constexpr int size = kRow;
};

template <class Launch, class Otherwise>
void for_row_of(int k, bool vectors, Launch launch, Otherwise otherwise) {
  if (!vectors) return otherwise();
  switch (k) {
    case 1:
      return launch(Row<1>{});
    case 2:
      return launch(Row<2>{});
    case 4:
      return launch(Row<4>{});
    case 8:
      return launch(Row<8>{});
    case 16:
      return launch(Row<16>{});
    default:
      return otherwise();
  }
}

}  // namespace fast
