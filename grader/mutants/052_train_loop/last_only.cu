// mistake: last-only
// why: Copies once, after the loop: the history has the last step alone.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  for (int s = 0; s < steps; ++s) {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
  }
  cudaMemcpyAsync(loss_history + 2 * (steps - 1), ws.losses, 2 * sizeof(float),
                  cudaMemcpyDeviceToDevice, stream);
}
