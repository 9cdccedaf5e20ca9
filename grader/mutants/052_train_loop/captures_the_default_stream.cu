// mistake: default-stream-captured
// why: The default stream, which the given one may be, cannot be captured.
// rejected-for: launch_error,value,wrong_stream,forbidden_call
// rejected-on: both
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  if (steps == 0) return;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t step = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&step, graph, 0);
  for (int s = 0; s < steps; ++s) {
    cudaGraphLaunch(step, stream);
    cudaMemcpyAsync(loss_history + 2 * s, ws.losses, 2 * sizeof(float), cudaMemcpyDeviceToDevice,
                    stream);
  }
  cudaGraphExecDestroy(step);
  cudaGraphDestroy(graph);
}
