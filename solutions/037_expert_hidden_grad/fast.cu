// 037 expert_hidden_grad, fast: the grouped product of 029 with the weights turned, as in 002.
//
// The clear kernel turns W2 when it reads its padded tile in shared memory, a float for each
// product. Here it is turned on the way into shared memory, once, so a thread can read 16 bytes at
// a time.
#include "../fast/gemm_experts.h"
#include "moe/kernels.h"

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const fast::ExpertRows product{dYs, W2, offsets, dA, P, E, H, D, D};
  fast::gemm<fast::Lies::kTurned, fast::Lies::kTurned, false>(fast::row_tile_size(P, E, H), false,
                                                              product, stream);
}
