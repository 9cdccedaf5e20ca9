// 040 expert_backward, fast: five launches, four of them products.
//
// The clear version walks over dYs once more for the sums of its columns. Here the product that
// reads dYs anyway sums them: 035 and 036 together are what 039 does, with the widths swapped. The
// order is such that a product follows the one whose result it reads.
//
// calls: 037_expert_hidden_grad 038_expert_activation_grad 039_expert_up_grads
#include "../fast/experts.h"

void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream) {
  fast::experts_backward(Xs, Z, A, dYs, params, offsets, dA, dZ, dXs, grads, P, E, D, H, act,
                         stream);
}
