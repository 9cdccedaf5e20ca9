// 024, 027: out[s] = [gates[p]] rows[p / K], p = pair_of_slot[s]; as long arrays, four elements a
// thread.
#pragma once

#include "fours.h"

namespace fast {

// An element for every slot: each row is read K times, at K places of the grid.
template <bool kGated>
struct RowsBySlot {
  const float* rows;
  const float* gates;
  const int* pair_of_slot;
  float* out;
  int D, K;

  __device__ void one(int i) const {
    const int slot = i / D, pair = pair_of_slot[slot];
    const float value = rows[pair / K * D + (i - slot * D)];
    out[i] = kGated ? gates[pair] * value : value;
  }
  __device__ void four(int i) const {
    const int slot = i / D, pair = pair_of_slot[slot];
    const float4 value = load4(rows + pair / K * D + (i - slot * D));
    store4(out + i, kGated ? filled<float4>(gates[pair]) * value : value);
  }
};

constexpr int kMostPairs = 1 << 20;
// Rows that together are larger than this do not wait in the L2 cache (60 MB on an H200) for their
// second reader.
constexpr long long kMostFloatsInCache = 4 << 20;

// The other direction of pair_of_slot.
static __device__ int slots_of_pairs[kMostPairs];

static __global__ void invert_kernel(const int* pair_of_slot, int pairs) {
  const int slot = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (slot < pairs) slots_of_pairs[pair_of_slot[slot]] = slot;
}

// An element for every token: each row is read once, and written K times.
template <bool kGated>
struct RowsByToken {
  const float* rows;
  const float* gates;
  float* out;
  int D, K;

  __device__ void one(int i) const {
    const int token = i / D, d = i - token * D;
    const float value = rows[i];
    for (int p = token * K; p < (token + 1) * K; ++p) {
      out[slots_of_pairs[p] * D + d] = kGated ? gates[p] * value : value;
    }
  }
  __device__ void four(int i) const {
    const int token = i / D, d = i - token * D;
    const float4 value = load4(rows + i);
    for (int p = token * K; p < (token + 1) * K; ++p) {
      store4(out + slots_of_pairs[p] * D + d, kGated ? filled<float4>(gates[p]) * value : value);
    }
  }
};

template <bool kGated>
void rows_to_slots(const float* rows, const float* gates, const int* pair_of_slot, float* out,
                   int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  const int pairs = T * K;
  const bool vectors = D % 4 == 0 && aligned(rows, out);
  if (K == 1 || pairs > kMostPairs || static_cast<long long>(T) * D <= kMostFloatsInCache) {
    in_fours(RowsBySlot<kGated>{rows, gates, pair_of_slot, out, D, K}, pairs * D, vectors, stream);
    return;
  }
  const int threads = 256;
  invert_kernel<<<(pairs - 1) / threads + 1, threads, 0, stream>>>(pair_of_slot, pairs);
  in_fours(RowsByToken<kGated>{rows, gates, out, D, K}, T * D, vectors, stream);
}

}  // namespace fast
