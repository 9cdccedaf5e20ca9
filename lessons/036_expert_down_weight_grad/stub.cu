// 036 expert_down_weight_grad: dW2[e] += A_e^T dYs_e, a thread for every weight.
//
// A [P,H], dYs [P,D] and dW2 [E,H,D] are row-major float arrays, offsets [E+1] holds ints, all in
// device memory. An expert without rows keeps its dW2. P may be 0; E, H and D are at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void expert_down_weight_grad_kernel(const float* A, const float* dYs, const int* offsets,
                                               float* dW2, int H, int D) {
  // TODO(1): own one weight of this block's expert: its index within the expert's [H,D], the guard,
  // its hidden unit h and its column d. The expert is the block's y in the grid.
  // END TODO(1)

  // TODO(2): sum over the expert's rows, in a register, then add to the weight once.
  // END TODO(2)
}

}  // namespace

void expert_down_weight_grad(const float* A, const float* dYs, const int* offsets, float* dW2,
                             int P, int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  // TODO(3): the grid: along x a thread for each of an expert's weights, along y the experts.
  expert_down_weight_grad_kernel<<<1, kThreads, 0, stream>>>(A, dYs, offsets, dW2, H, D);
  // END TODO(3)
}
