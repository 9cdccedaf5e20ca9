// 052 train_loop, fast: a step is captured as a graph and launched `steps` times.
//
// A small layer's step is some fifteen kernels of a few microseconds; by a graph the host needs one
// call for all of them, and the GPU begins each as soon as the one before it has ended. To make the
// graph takes as long as some steps' launches, so a few steps go without. The default stream cannot
// be captured, and one that is capturing already takes the steps as they come: then plain calls.
//
// calls: 051_train_step
#include "moe/kernels.h"

namespace {

constexpr int kFewSteps = 2;

// A step as a graph, which lives until the end of the block that it is in; empty where the stream
// or the number of steps forbids it. CUDA keeps what is still to run.
class StepGraph {
 public:
  template <class Step>
  StepGraph(int steps, cudaStream_t stream, const Step& step) {
    if (steps <= kFewSteps || !may_capture(stream)) return;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return;
    step();
    if (cudaStreamEndCapture(stream, &graph_) == cudaSuccess) {
      cudaGraphInstantiate(&executable_, graph_, 0);
    }
  }
  ~StepGraph() {
    if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  bool empty() const { return executable_ == nullptr; }
  void launch(cudaStream_t stream) const { cudaGraphLaunch(executable_, stream); }

 private:
  static bool may_capture(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return false;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusNone;
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

void train_loop(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                const float* X, const float* target, MoeWorkspace& ws, float* out, float* dOut,
                float* dX, float lr, int steps, float* loss_history, cudaStream_t stream) {
  const auto step = [&] {
    train_step(config, params, grads, X, target, ws, out, dOut, dX, lr, stream);
  };
  const StepGraph graph(steps, stream, step);
  for (int s = 0; s < steps; ++s) {
    if (graph.empty()) {
      step();
    } else {
      graph.launch(stream);
    }
    // From device to device, in the stream's order: the host reads no loss before the end.
    cudaMemcpyAsync(loss_history + 2 * s, ws.losses, 2 * sizeof(float), cudaMemcpyDeviceToDevice,
                    stream);
  }
}
