// mistake: waits
// why: Copies to the host and back: the host waits in every step.
// rejected-for: forbidden_call
// rejected-on: both
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  for (int s = 0; s < steps; ++s) {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    // From device to device, in the stream's order: the host reads no loss before the end.
    float losses[2];
    cudaMemcpyAsync(losses, ws.losses, sizeof(losses), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpyAsync(loss_history + 2 * s, losses, sizeof(losses), cudaMemcpyHostToDevice, stream);
  }
}
