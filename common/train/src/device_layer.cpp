#include "device_layer.h"

#include "moe/kernels.h"

namespace train {

DeviceLayer::DeviceLayer(const MoeConfig& config, const Task& task, const Parameters& parameters)
    : config_(config) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
  const auto T = static_cast<std::size_t>(config.T), D = static_cast<std::size_t>(config.D),
             H = static_cast<std::size_t>(config.H), E = static_cast<std::size_t>(config.E),
             K = static_cast<std::size_t>(config.K), P = T * K;
  X_ = upload(task.X);
  target_ = upload(task.target);
  params_ = {upload(parameters.Wg), upload(parameters.W1), upload(parameters.b1),
             upload(parameters.W2), upload(parameters.b2)};
  grads_ = {allocate<float>(D * E), allocate<float>(E * D * H), allocate<float>(E * H),
            allocate<float>(E * H * D), allocate<float>(E * D)};
  out_ = allocate<float>(T * D);
  dOut_ = allocate<float>(T * D);
  dX_ = allocate<float>(T * D);

  MoeWorkspace& ws = workspace_;
  ws.logits = allocate<float>(T * E);
  ws.probs = allocate<float>(T * E);
  ws.experts = allocate<int>(P);
  ws.gates = allocate<float>(P);
  ws.counts = allocate<int>(E);
  ws.offsets = allocate<int>(E + 1);
  ws.slot_of_pair = allocate<int>(P);
  ws.pair_of_slot = allocate<int>(P);
  ws.Xs = allocate<float>(P * D);
  ws.Z = allocate<float>(P * H);
  ws.A = allocate<float>(P * H);
  ws.Ys = allocate<float>(P * D);
  ws.fractions = allocate<float>(E);
  ws.mean_probs = allocate<float>(E);
  ws.dgates = allocate<float>(P);
  ws.dprobs = allocate<float>(T * E);
  ws.dlogits = allocate<float>(T * E);
  ws.dYs = allocate<float>(P * D);
  ws.dA = allocate<float>(P * H);
  ws.dZ = allocate<float>(P * H);
  ws.dXs = allocate<float>(P * D);
  ws.dX_router = allocate<float>(T * D);
  ws.losses = allocate<float>(2);
}

DeviceLayer::~DeviceLayer() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
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
