// mistake: steps-left-out
// why: No more than four steps are taken.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  for (int s = 0; s < steps && s < 4; ++s) {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    // From device to device, in the stream's order: the host reads no loss before the end.
    cudaMemcpyAsync(loss_history + 2 * s, ws.losses, 2 * sizeof(float), cudaMemcpyDeviceToDevice,
                    stream);
  }
}
