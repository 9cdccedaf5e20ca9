// 030 and 033: rows[r] += bias[expert of r], in place. The rows as one long array, four elements a
// thread.
#pragma once

#include "fours.h"

namespace fast {

struct ExpertBias {
  float* rows;
  const float* bias;
  const int* offsets;
  int experts;
  int cols;

  __device__ void one(int i) const { rows[i] += bias[place(i)]; }
  __device__ void four(int i) const {
    // Under way while the expert is looked for: the search costs no time of its own.
    const float4 v = load4(rows + i);
    store4(rows + i, v + load4(bias + place(i)));
  }

 private:
  // Where the bias of element i stands.
  __device__ int place(int i) const {
    const int row = static_cast<int>(static_cast<unsigned>(i) / static_cast<unsigned>(cols));
    // The last expert that begins at or before the row. A warp's lanes are mostly in one row, so
    // they read the same offsets, from the L1 cache.
    int low = 0, high = experts;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (offsets[middle] <= row) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low * cols + (i - row * cols);
  }
};

inline void add_expert_bias(float* rows, const float* bias, const int* offsets, int count,
                            int experts, int cols, cudaStream_t stream) {
  // No group of four may cross the end of a row: the next may be another expert's.
  const bool vectors = cols % 4 == 0 && aligned(rows, bias);
  in_fours(ExpertBias{rows, bias, offsets, experts, cols}, count * cols, vectors, stream);
}

}  // namespace fast
