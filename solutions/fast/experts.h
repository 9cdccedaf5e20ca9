// The experts' two layers, forward and backward, by the lessons' products and what may stand
// between them in one pass. A file that includes this says in its `calls` line:
// 029_expert_up 032_expert_down 037_expert_hidden_grad 038_expert_activation_grad
// 039_expert_up_grads, or those of them that it uses.
#pragma once

#include "hidden_layer.h"
#include "moe/kernels.h"

namespace fast {

// Ys [P,D] is left without its bias b2, which costs nothing where the rows are read next.
inline void experts_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                            float* A, float* Ys, int P, int E, int D, int H, Activation act,
                            cudaStream_t stream) {
  expert_up(Xs, params.W1, offsets, Z, P, E, D, H, stream);
  add_bias_and_activate(Z, params.b1, offsets, A, P, E, H, act, stream);
  expert_down(A, params.W2, offsets, Ys, P, E, H, D, stream);
}

// 035 and 036 together are 039 with the widths swapped: a product that sums columns on its way.
inline void experts_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                             const MoeParams& params, const int* offsets, float* dA, float* dZ,
                             float* dXs, const MoeParams& grads, int P, int E, int D, int H,
                             Activation act, cudaStream_t stream) {
  expert_hidden_grad(dYs, params.W2, offsets, dA, P, E, H, D, stream);
  expert_activation_grad(Z, dA, dZ, P * H, act, stream);
  expert_hidden_grad(dZ, params.W1, offsets, dXs, P, E, D, H, stream);
  expert_up_grads(A, dYs, offsets, grads.W2, grads.b2, P, E, H, D, stream);
  expert_up_grads(Xs, dZ, offsets, grads.W1, grads.b1, P, E, D, H, stream);
}

}  // namespace fast
