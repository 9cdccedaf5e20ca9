#include "device_layer.h"

#include "moe/kernels.h"

namespace train {

DeviceLayer::DeviceLayer(const MoeConfig& config, const Task& task, const Parameters& parameters)
    : LayerArrays(config, config.T, task, parameters) {
  const auto D = static_cast<std::size_t>(config.D), H = static_cast<std::size_t>(config.H),
             P = static_cast<std::size_t>(config.T) * static_cast<std::size_t>(config.K);
  MoeWorkspace& ws = workspace_;
  ws.Xs = allocate<float>(P * D);
  ws.Z = allocate<float>(P * H);
  ws.A = allocate<float>(P * H);
  ws.Ys = allocate<float>(P * D);
  ws.dYs = allocate<float>(P * D);
  ws.dA = allocate<float>(P * H);
  ws.dZ = allocate<float>(P * H);
  ws.dXs = allocate<float>(P * D);
}

std::vector<float> DeviceLayer::train(int steps, float lr) {
  const std::size_t count = 2 * static_cast<std::size_t>(steps);
  DeviceMemory memory;
  float* const history = memory.allocate<float>(count);
  train_loop(config_, params_, grads_, X_, target_, workspace_, out_, dOut_, dX_, lr, steps,
             history, stream_);
  check(cudaGetLastError(), "train_loop");
  check(cudaStreamSynchronize(stream_), "train_loop");
  return train::download(history, count);
}

std::vector<float> DeviceLayer::load() {
  moe_forward(config_, params_, X_, workspace_, out_, stream_);
  check(cudaGetLastError(), "moe_forward");
  check(cudaStreamSynchronize(stream_), "moe_forward");
  return train::download(workspace_.fractions, static_cast<std::size_t>(config_.E));
}

Parameters DeviceLayer::parameters() const {
  return download(params_);
}

Parameters DeviceLayer::gradients() const {
  return download(grads_);
}

std::vector<float> DeviceLayer::input_gradient() const {
  return train::download(dX_,
                         static_cast<std::size_t>(config_.T) * static_cast<std::size_t>(config_.D));
}

Parameters DeviceLayer::download(const MoeParams& arrays) const {
  Parameters result = zero_parameters(config_);
  const float* const sources[] = {arrays.Wg, arrays.W1, arrays.b1, arrays.W2, arrays.b2};
  std::size_t next = 0;
  Parameters::each(result, [&](std::vector<float>& array) {
    array = train::download(sources[next++], array.size());
  });
  return result;
}

}  // namespace train
