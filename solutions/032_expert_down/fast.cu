// 032 expert_down, fast: the grouped product of 029, with the widths swapped.
//
// The clear kernel's tiles of 16 x 16 already save loads from global memory, but a thread reads two
// floats of shared memory for one product, which is slower than the arithmetic. The tiles of 029
// need 24 for 128.
#include "../fast/gemm_experts.h"
#include "moe/kernels.h"

void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  const fast::ExpertRows product{A, W2, offsets, Ys, P, E, D, H, D};
  fast::gemm<fast::Lies::kTurned, fast::Lies::kStraight, false>(
      fast::row_tile_size(P, E, D), D % 4 == 0 && fast::aligned(W2), product, stream);
}
