// 036 expert_down_weight_grad, fast: the product of 003 for every expert, in one launch.
//
// Each block has a tile of one expert's weights and walks down the expert's rows, each of which it
// fetches once for 128 columns of the other operand; the clear kernel loads two floats for one
// product. The blocks of an expert without rows end at once. Nothing is added atomically: the same
// bits each time.
#include "../fast/gemm_experts.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  fast::product<fast::Lies::kStraight, fast::Lies::kStraight, true>(
      fast::ExpertWeightGrads{A, dYs, offsets, dW2, nullptr, E, H, D}, stream);
}
