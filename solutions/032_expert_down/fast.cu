// 032 expert_down, fast: the grouped product of 029, with the widths swapped.
//
// The clear kernel's tiles of 16 x 16 already save loads from global memory, but a thread reads two
// floats of shared memory for one product, which is slower than the arithmetic. Where 029's product
// runs on the tensor cores, 128 threads together read 2 x 8 rows of 128 for 64 x 8 x 128 products.
#include "../fast/gemm_experts.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  fast::product<fast::Lies::kTurned, fast::Lies::kStraight, false>(
      fast::ExpertRows{A, W2, offsets, Ys, P, E, D, H, D}, stream);
}
