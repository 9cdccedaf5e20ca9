// mistake: out-of-order
// why: The up layer's gradients are taken from a dZ that is not there yet.
// rejected-for: uninitialized_read,value
// rejected-on: both
#include "moe/kernels.h"

void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream) {
  // Ys = A W2 + b2
  expert_down_bias_grad(dYs, offsets, grads.b2, P, E, D, stream);
  expert_down_weight_grad(A, dYs, offsets, grads.W2, P, E, H, D, stream);
  expert_hidden_grad(dYs, params.W2, offsets, dA, P, E, H, D, stream);

  // A = act(Z)
  expert_up_grads(Xs, dZ, offsets, grads.W1, grads.b1, P, E, D, H, stream);
  expert_activation_grad(Z, dA, dZ, P * H, act, stream);

  // Z = Xs W1 + b1
  // The gradient of a product's input again, through W1 [E,D,H]: the widths change places.
  expert_hidden_grad(dZ, params.W1, offsets, dXs, P, E, D, H, stream);
}
