// 051 train_step: one step of gradient descent: zero, forward, loss, backward, update.
//
// X, target, out, dOut and dX [T,D] are row-major float arrays in device memory. ws.losses gets the
// mean squared error and the auxiliary loss, both before the update.
#include "moe/kernels.h"

// TODO(1): this code has 3 faults. One of them leaves an array: which call does the report name,
// and which of its arguments can it be? The other two are of order: who reads what, and when.
void train_step(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, cudaStream_t stream) {
  const int D = config.D, H = config.H, E = config.E;
  const int n = config.T * D;

  moe_forward(config, params, X, ws, out, stream);
  mse_loss(out, target, ws.losses, n, stream);
  mse_loss_backward(out, target, dOut, n, stream);

  sgd_update(params.Wg, grads.Wg, D * E, lr, stream);
  sgd_update(params.W1, grads.W1, E * D * H, lr, stream);
  sgd_update(params.b1, grads.b1, E * H, lr, stream);
  sgd_update(params.W2, grads.W2, E * H * D, lr, stream);
  sgd_update(params.b2, grads.b2, E * H, lr, stream);

  moe_backward(config, params, X, dOut, ws, grads, dX, stream);
  zero_grads(grads, config, stream);
}
// END TODO(1)
