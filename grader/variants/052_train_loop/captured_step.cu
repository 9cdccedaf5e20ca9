// A step is captured once as a graph and launched `steps` times; plain calls where that cannot be.
#include "moe/kernels.h"

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t step = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (stream != nullptr) cudaStreamIsCapturing(stream, &status);
  if (steps > 1 && stream != nullptr && status == cudaStreamCaptureStatusNone) {
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&step, graph, 0);
  }
  for (int s = 0; s < steps; ++s) {
    if (step != nullptr) {
      cudaGraphLaunch(step, stream);
    } else {
      train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
    }
    cudaMemcpyAsync(loss_history + 2 * s, ws.losses, 2 * sizeof(float), cudaMemcpyDeviceToDevice,
                    stream);
  }
  if (step != nullptr) cudaGraphExecDestroy(step);
  if (graph != nullptr) cudaGraphDestroy(graph);
}
