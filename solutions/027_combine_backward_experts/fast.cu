// 027 combine_backward_experts, fast: as 024, with a gate: accesses of 16 bytes, and each row of a
// large dOut read from memory once, by way of the inverse index.
#include "../fast/rows_to_slots.h"
#include "moe/kernels.h"

void combine_backward_experts(const float* dOut, const float* gates, const int* pair_of_slot,
                              float* dYs, int T, int D, int K, cudaStream_t stream) {
  fast::rows_to_slots<true>(dOut, gates, pair_of_slot, dYs, T, D, K, stream);
}
