// mistake: waits
// why: The host looks at the losses of every step, without a wait, and ends early at a NaN.
// rejected-for: forbidden_call
// rejected-on: both
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  for (int s = 0; s < steps; ++s) {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    float losses[2];
    cudaMemcpyAsync(losses, ws.losses, sizeof(losses), cudaMemcpyDeviceToHost, stream);
    if (losses[0] != losses[0]) return;
    cudaMemcpyAsync(loss_history + 2 * s, losses, sizeof(losses), cudaMemcpyHostToDevice, stream);
  }
}
