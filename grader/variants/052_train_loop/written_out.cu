// The step written out, and a kernel of two threads that stores its losses.
#include "moe/kernels.h"

namespace {

__global__ void store_kernel(const float* losses, float* place) {
  place[threadIdx.x] = losses[threadIdx.x];
}

}  // namespace

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  float* place = loss_history;
  while (steps-- > 0) {
    zero_grads(grads, config, stream);
    moe_forward(config, params, X, ws, out, stream);
    mse_loss(out, target, ws.losses, config.T * config.D, stream);
    store_kernel<<<1, 2, 0, stream>>>(ws.losses, place);
    place += 2;
    mse_loss_backward(out, target, dOut, config.T * config.D, stream);
    moe_backward(config, params, X, dOut, ws, grads, dX, stream);
    sgd_update(params.Wg, grads.Wg, config.D * config.E, lr, stream);
    sgd_update(params.W1, grads.W1, config.E * config.D * config.H, lr, stream);
    sgd_update(params.b1, grads.b1, config.E * config.H, lr, stream);
    sgd_update(params.W2, grads.W2, config.E * config.H * config.D, lr, stream);
    sgd_update(params.b2, grads.b2, config.E * config.D, lr, stream);
  }
}
