// 052 train_loop: `steps` steps of gradient descent, and the losses of each, without a wait.
//
// X, target, out, dOut and dX [T,D] are row-major float arrays, loss_history [2*steps] is a float
// array, all in device memory: loss_history[2*s] and [2*s+1] are the mean squared error and the
// auxiliary loss of step s. steps may be 0.
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  for (int s = 0; s < steps; ++s) {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    // From device to device, in the stream's order: the host reads no loss before the end.
    cudaMemcpyAsync(loss_history + 2 * s, ws.losses, 2 * sizeof(float), cudaMemcpyDeviceToDevice,
                    stream);
  }
}
