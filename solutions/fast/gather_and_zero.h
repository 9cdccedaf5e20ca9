// 024 by the token's slots, and 047 where gradients are to begin at 0: one launch for both, which
// have nothing to do with each other. A thread reads its part of a row of X once and writes it to
// the row's K slots.
#pragma once

#include "fours.h"
#include "param_arrays.h"

namespace fast {

struct RowsToTheirSlots {
  const float* X;
  const int* slot_of_pair;
  float* Xs;
  int D, K;

  __device__ void one(int i) const {
    const int token = i / D, d = i - token * D;
    const float value = X[i];
    for (int p = token * K; p < (token + 1) * K; ++p) Xs[slot_of_pair[p] * D + d] = value;
  }
  __device__ void four(int i) const {
    const int token = i / D, d = i - token * D;
    const float4 value = load4(X + i);
    for (int p = token * K; p < (token + 1) * K; ++p) store4(Xs + slot_of_pair[p] * D + d, value);
  }
};

// The blocks behind the first `blocks` are those of `zeroed`.
static __global__ void __launch_bounds__(kFoursThreads)
gather_and_zero_kernel(RowsToTheirSlots rows, int n, bool vectors, unsigned blocks,
                       ParamBlocks zeroed) {
  static_assert(kFoursThreads == kParamThreads);
  if (blockIdx.x < blocks) {
    four_of_thread(rows, n, vectors);
  } else {
    for_params(zeroed, blockIdx.x - blocks, ZeroParams{});
  }
}

inline void gather_rows(const RowsToTheirSlots& rows, int T, cudaStream_t stream) {
  in_fours(rows, T * rows.D, rows.D % 4 == 0 && aligned(rows.X, rows.Xs), stream);
}

inline void gather_rows_and_zero(const RowsToTheirSlots& rows, int T, const ParamBlocks& zeroed,
                                 cudaStream_t stream) {
  const int n = T * rows.D;
  const unsigned blocks = static_cast<unsigned>(blocks_of_fours(n));
  gather_and_zero_kernel<<<blocks + zeroed.blocks(), kFoursThreads, 0, stream>>>(
      rows, n, rows.D % 4 == 0 && aligned(rows.X, rows.Xs), blocks, zeroed);
}

}  // namespace fast
