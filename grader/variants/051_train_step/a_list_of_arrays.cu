// A memset for each array, the loss at the very end, the updates in another order.
#include "moe/kernels.h"

void train_step(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  struct Group {
    float *values, *gradients;
    int size;
  };
  const Group groups[] = {{params.b2, grads.b2, E * D},
                          {params.W2, grads.W2, E * H * D},
                          {params.b1, grads.b1, E * H},
                          {params.W1, grads.W1, E * D * H},
                          {params.Wg, grads.Wg, D * E}};
  moe_forward(config, params, X, ws, out, stream);
  mse_loss_backward(out, target, dOut, T * D, stream);
  for (const Group& g : groups) cudaMemsetAsync(g.gradients, 0, sizeof(float) * g.size, stream);
  moe_backward(config, params, X, dOut, ws, grads, dX, stream);
  for (const Group& g : groups) sgd_update(g.values, g.gradients, g.size, lr, stream);
  mse_loss(out, target, ws.losses, T * D, stream);
}
