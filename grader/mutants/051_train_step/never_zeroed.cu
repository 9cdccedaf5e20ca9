// mistake: zeroed-late
// why: The gradients pile up on what they held.
// rejected-for: value,uninitialized_read
// rejected-on: both
#include "moe/kernels.h"

void train_step(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, cudaStream_t stream) {
  const int D = config.D, H = config.H, E = config.E;
  const int n = config.T * D;

  moe_forward(config, params, X, ws, out, stream);
  mse_loss(out, target, ws.losses, n, stream);
  mse_loss_backward(out, target, dOut, n, stream);
  moe_backward(config, params, X, dOut, ws, grads, dX, stream);

  sgd_update(params.Wg, grads.Wg, D * E, lr, stream);
  sgd_update(params.W1, grads.W1, E * D * H, lr, stream);
  sgd_update(params.b1, grads.b1, E * H, lr, stream);
  sgd_update(params.W2, grads.W2, E * H * D, lr, stream);
  sgd_update(params.b2, grads.b2, E * D, lr, stream);
}
