#include "layer_arrays.h"

#include <cstddef>

namespace train {

LayerArrays::LayerArrays(const MoeConfig& config, int tokens, const Task& task,
                         const Parameters& parameters)
    : config_(config) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
  const auto T = static_cast<std::size_t>(tokens), D = static_cast<std::size_t>(config.D),
             E = static_cast<std::size_t>(config.E), P = T * static_cast<std::size_t>(config.K);
  X_ = upload(task.X);
  target_ = upload(task.target);
  params_ = {upload(parameters.Wg), upload(parameters.W1), upload(parameters.b1),
             upload(parameters.W2), upload(parameters.b2)};
  grads_ = {allocate<float>(parameters.Wg.size()), allocate<float>(parameters.W1.size()),
            allocate<float>(parameters.b1.size()), allocate<float>(parameters.W2.size()),
            allocate<float>(parameters.b2.size())};
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
  ws.fractions = allocate<float>(E);
  ws.mean_probs = allocate<float>(E);
  ws.dgates = allocate<float>(P);
  ws.dprobs = allocate<float>(T * E);
  ws.dlogits = allocate<float>(T * E);
  ws.dX_router = allocate<float>(T * D);
  ws.losses = allocate<float>(2);
}

LayerArrays::~LayerArrays() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

}  // namespace train
