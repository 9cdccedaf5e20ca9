// Rows of tokens to slots (024, 027) and rows of slots to tokens (025, 026), as long arrays with
// four elements a thread.
#pragma once

#include "fours.h"

namespace fast {

// ---- 024, 027: out[s] = [gates[p]] rows[p / K], p = pair_of_slot[s] ----

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
// Rows that together are larger than this do not wait in the L2 cache (50 MB on an H200) for their
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

// ---- 025, 026: out[t] = sum_j [gates[p]] rows[slot_of_pair[p]], p = t*K + j ----

template <bool kGated>
struct SumOfSlots {
  const float* rows;
  const int* slot_of_pair;
  const float* gates;
  float* out;
  int D, K;

  __device__ void one(int i) const {
    const int token = i / D, d = i - token * D;
    float sum = 0.0f;
    for (int p = token * K; p < (token + 1) * K; ++p) {
      const float value = rows[slot_of_pair[p] * D + d];
      sum += kGated ? gates[p] * value : value;
    }
    out[i] = sum;
  }
  __device__ void four(int i) const {
    const int token = i / D, d = i - token * D;
    float4 sum = filled<float4>(0.0f);
    // Unrolled, so that rows are under way two at a time.
#pragma unroll 2
    for (int p = token * K; p < (token + 1) * K; ++p) {
      const float4 value = load4(rows + slot_of_pair[p] * D + d);
      sum = sum + (kGated ? filled<float4>(gates[p]) * value : value);
    }
    store4(out + i, sum);
  }
};

template <bool kGated>
void sum_of_slots(const float* rows, const int* slot_of_pair, const float* gates, float* out, int T,
                  int D, int K, cudaStream_t stream) {
  const bool vectors = D % 4 == 0 && aligned(rows, out);
  in_fours(SumOfSlots<kGated>{rows, slot_of_pair, gates, out, D, K}, T * D, vectors, stream);
}

}  // namespace fast
