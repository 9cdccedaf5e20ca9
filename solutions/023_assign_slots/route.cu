// From logits to slots in two launches: 018, 019 and 021 to 023 fused. How is told in
// solutions/fast/route.h, which the fast kernels of the whole layer use as well.
#include "../fast/route.h"
#include "moe/examples.h"

void route(const float* logits, float* probs, int* experts, float* gates, int* counts, int* offsets,
           int* slot_of_pair, int* pair_of_slot, int T, int E, int K, cudaStream_t stream) {
  fast::route_pairs<false>(logits,
                           {probs, experts, gates, counts, offsets, slot_of_pair, pair_of_slot}, {},
                           T, E, K, stream);
}
