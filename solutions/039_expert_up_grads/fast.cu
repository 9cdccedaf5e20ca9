// 039 expert_up_grads, fast: the grouped product of 036; the bias comes from the tiles that it has.
//
// Each block has a tile of one expert's weights and walks down its rows. Those of the first rows of
// weights also sum the columns of dZ, which pass through anyway: a thread a column, one addition
// for 128 products, instead of a second walk over dZ.
#include "../fast/gemm_experts.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;
  fast::product<fast::Lies::kStraight, fast::Lies::kStraight, true, true>(
      fast::ExpertWeightGrads{Xs, dZ, offsets, dW1, db1, E, D, H}, stream);
}
