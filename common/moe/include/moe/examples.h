// Functions that no lesson has: what lessons become when they are put together for speed.
#pragma once

#include <cuda_runtime.h>

// From logits to slots: what 018, 019 and 021 to 023 do, in two launches. logits and probs [T,E],
// experts and gates [T,K], counts [E], offsets [E+1], slot_of_pair and pair_of_slot [T*K]; the
// conventions of moe/kernels.h hold. Calls on several streams must be ordered.
void route(const float* logits, float* probs, int* experts, float* gates, int* counts, int* offsets,
           int* slot_of_pair, int* pair_of_slot, int T, int E, int K, cudaStream_t stream);

// A router whose experts have descriptions: scores = logits + alpha X G^T, the two largest of a row
// (the lower index first on ties) and their softmax. X [T,D], G [E,D], logits [T,E]; out [T,2,2]:
// for each of the two the expert's index, as a float, and its weight. E is at least 2.
void grounded_router(const float* logits, const float* X, const float* G, float alpha, float* out,
                     int T, int D, int E, cudaStream_t stream);
