// 029 expert_up, fast: the product of 001 over the rows of every expert, in one launch.
//
// The clear kernel gives each expert the same number of blocks, so the one with most rows keeps its
// blocks busy when the others are done, and every product takes two loads. Here the grid has a
// block for each tile of rows and columns, whoever's it is; what an expert without rows costs is
// blocks that end at once.
#include "../fast/gemm_experts.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream) {
  if (P == 0) return;
  fast::product<fast::Lies::kTurned, fast::Lies::kStraight, false>(
      fast::ExpertRows{Xs, W1, offsets, Z, P, E, H, D, H}, stream);
}
