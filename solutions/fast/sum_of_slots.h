// 025, 026: out[t] = sum_j [gates[p]] rows[slot_of_pair[p]], p = t*K + j; as long arrays, four
// elements a thread.
#pragma once

#include "fours.h"

namespace fast {

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
