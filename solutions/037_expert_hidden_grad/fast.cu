// 037 expert_hidden_grad, fast: the grouped product of 029 with the weights turned, as in 002.
//
// The clear kernel turns W2 when it reads its padded tile in shared memory, a float for each
// product. Here it lies in shared memory as the tensor cores want it, or turned as the CUDA cores
// do, once for 128 rows.
#include "../fast/gemm_experts.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;
  fast::product<fast::Lies::kTurned, fast::Lies::kTurned, false>(
      fast::ExpertRows{dYs, W2, offsets, dA, P, E, H, D, D}, stream);
}
