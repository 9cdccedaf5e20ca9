#include "rank_layer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "moe/kernels.h"

namespace train {
namespace {

using parallel::Piece;
using parallel::Share;

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

std::vector<float> part(const std::vector<float>& all, Share share, std::size_t width) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(size(share.first) * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(size(share.count) * width)};
}

}  // namespace

Task slice(const Task& task, const MoeConfig& config, Share tokens) {
  return {part(task.X, tokens, size(config.D)), part(task.target, tokens, size(config.D))};
}

Parameters slice(const Parameters& whole, const MoeConfig& config, Share experts) {
  const std::size_t D = size(config.D), H = size(config.H);
  return {whole.Wg, part(whole.W1, experts, D * H), part(whole.b1, experts, H),
          part(whole.W2, experts, H * D), part(whole.b2, experts, D)};
}

RankLayer::RankLayer(const MoeConfig& config, const parallel::Group& group,
                     std::unique_ptr<parallel::Transport> transport, const Task& task,
                     const Parameters& parameters)
    : LayerArrays(config, parallel::share_of(config.T, group.size(), group.rank()).count, task,
                  parameters),
      group_(group),
      transport_(std::move(transport)),
      tokens_(parallel::share_of(config.T, group.size(), group.rank())),
      experts_(parallel::share_of(config.E, group.size(), group.rank())) {
  rows_ = allocate<float>(size(tokens_.count) * size(config.K) * size(config.D));
  all_counts_ = allocate<int>(size(config.E));
  offsets_ = allocate<int>(size(experts_.count) + 1);
}

// Who goes where: the lessons' router and dispatch on this rank's tokens, then the counts of all
// ranks, from which everybody knows what comes, and where it belongs.
void RankLayer::route() {
  const auto [T_all, D, H, E, K, activation, alpha] = config_;
  const int T = tokens_.count, P = T * K;
  MoeWorkspace& ws = workspace_;
  router_logits(X_, params_.Wg, ws.logits, T, D, E, stream_);
  router_probs(ws.logits, ws.probs, T, E, stream_);
  router_topk(ws.probs, ws.experts, ws.gates, T, E, K, stream_);
  count_tokens(ws.experts, ws.counts, P, E, stream_);
  expert_offsets(ws.counts, ws.offsets, E, stream_);
  assign_slots(ws.experts, ws.offsets, ws.slot_of_pair, ws.pair_of_slot, P, E, stream_);

  // [ranks,E]: here the host learns them, and waits.
  const std::vector<int> counts = transport_->all_gather(ws.counts, size(E), stream_);
  const auto count = [&counts, experts = size(E)](int rank, int expert) {
    return counts[size(rank) * experts + size(expert)];
  };
  const int ranks = group_.size();
  const std::size_t width = size(D);

  // The slots are sorted by expert, and the experts by rank: what goes to a rank is one run of
  // rows, a piece an expert.
  outgoing_.clear();
  std::size_t first = 0;
  for (int owner = 0; owner < ranks; ++owner) {
    const Share theirs = parallel::share_of(E, ranks, owner);
    for (int e = theirs.first; e < theirs.first + theirs.count; ++e) {
      const std::size_t floats = size(count(group_.rank(), e)) * width;
      outgoing_.push_back({owner, first, floats});
      first += floats;
    }
  }
  // An expert's rows lie in the ranks' order, which is the tokens': as on one device.
  incoming_pieces_.clear();
  first = 0;
  for (int e = experts_.first; e < experts_.first + experts_.count; ++e) {
    for (int source = 0; source < ranks; ++source) {
      const std::size_t floats = size(count(source, e)) * width;
      incoming_pieces_.push_back({source, first, floats});
      first += floats;
    }
  }
  make_room(first / width);

  std::vector<int> total(size(E));
  for (std::size_t i = 0; i < counts.size(); ++i) total[i % total.size()] += counts[i];
  check(cudaMemcpyAsync(all_counts_, total.data(), total.size() * sizeof(int),
                        cudaMemcpyHostToDevice, stream_),
        "copying the counts");
  dispatch_fractions(all_counts_, ws.fractions, T_all * K, E, stream_);
  if (experts_.count > 0) {
    expert_offsets(all_counts_ + experts_.first, offsets_, experts_.count, stream_);
  }
}

// How many rows will come depends on what the router learns, so there is room to spare.
void RankLayer::make_room(std::size_t rows) {
  rows_in_ = rows;
  if (rows <= capacity_) return;
  const std::size_t all = size(config_.T) * size(config_.K);
  capacity_ = std::min(rows + rows / 4, all);
  const std::size_t D = size(config_.D), H = size(config_.H);
  incoming_.clear();
  Xs_ = incoming_.allocate<float>(capacity_ * D);
  Z_ = incoming_.allocate<float>(capacity_ * H);
  A_ = incoming_.allocate<float>(capacity_ * H);
  Ys_ = incoming_.allocate<float>(capacity_ * D);
  dA_ = incoming_.allocate<float>(capacity_ * H);
  dZ_ = incoming_.allocate<float>(capacity_ * H);
  dXs_ = incoming_.allocate<float>(capacity_ * D);
}

void RankLayer::send_rows(float* to) {
  transport_->exchange(rows_, outgoing_, to, incoming_pieces_, stream_);
}

void RankLayer::return_rows(const float* from) {
  transport_->exchange(from, incoming_pieces_, rows_, outgoing_, stream_);
}

// 049, with the rows' way to their experts and back.
void RankLayer::forward() {
  const auto [T_all, D, H, E, K, activation, alpha] = config_;
  const int T = tokens_.count, R = static_cast<int>(rows_in_);
  MoeWorkspace& ws = workspace_;
  gather_tokens(X_, ws.pair_of_slot, rows_, T, D, K, stream_);
  send_rows(Xs_);
  if (experts_.count > 0) {
    expert_forward(Xs_, params_, offsets_, Z_, A_, Ys_, R, experts_.count, D, H, activation,
                   stream_);
  }
  return_rows(Ys_);
  combine_tokens(rows_, ws.slot_of_pair, ws.gates, out_, T, D, K, stream_);

  // The fractions are of all tokens, the means of this rank's: the whole loss is the mean of the
  // ranks', as each has its share of the tokens.
  mean_probs(ws.probs, ws.mean_probs, T, E, stream_);
  aux_loss(ws.fractions, ws.mean_probs, ws.losses + 1, E, alpha, stream_);
}

// 050, likewise.
void RankLayer::backward() {
  const auto [T_all, D, H, E, K, activation, alpha] = config_;
  const int T = tokens_.count, R = static_cast<int>(rows_in_);
  MoeWorkspace& ws = workspace_;
  combine_backward_gates(dOut_, rows_, ws.slot_of_pair, ws.dgates, T, D, K, stream_);
  combine_backward_experts(dOut_, ws.gates, ws.pair_of_slot, rows_, T, D, K, stream_);
  send_rows(Ys_);  // which are no longer needed: their gradients take their place
  if (experts_.count > 0) {
    expert_backward(Xs_, Z_, A_, Ys_, params_, offsets_, dA_, dZ_, dXs_, grads_, R, experts_.count,
                    D, H, activation, stream_);
  }
  return_rows(dXs_);

  // 044 divides by the T that it is told; the layer has more tokens.
  const double share = static_cast<double>(T) / T_all;
  aux_loss_backward(ws.fractions, ws.dprobs, T, E, static_cast<float>(share * alpha), stream_);
  router_backward(X_, params_.Wg, ws.probs, ws.experts, ws.dgates, ws.dprobs, ws.dlogits, grads_.Wg,
                  ws.dX_router, T, D, E, K, stream_);
  transport_->all_reduce_sum(grads_.Wg, size(D) * size(E), stream_);
  gather_tokens_backward(rows_, ws.slot_of_pair, dX_, T, D, K, stream_);
  elementwise_add(dX_, ws.dX_router, dX_, T * D, stream_);
}

// 051.
void RankLayer::step(float lr) {
  const int T = tokens_.count, D = config_.D, H = config_.H, E = config_.E;
  const int own = experts_.count, n = T * D;
  const auto zero = [&](float* array, std::size_t count) {
    check(cudaMemsetAsync(array, 0, count * sizeof(float), stream_), "clearing a gradient");
  };
  // 047 knows one number of experts, and here the router has more than the arrays of experts.
  zero(grads_.Wg, size(D) * size(E));
  zero(grads_.W1, size(own) * size(D) * size(H));
  zero(grads_.b1, size(own) * size(H));
  zero(grads_.W2, size(own) * size(H) * size(D));
  zero(grads_.b2, size(own) * size(D));

  route();
  forward();
  mse_loss(out_, target_, workspace_.losses, n, stream_);
  if (T == config_.T) {
    mse_loss_backward(out_, target_, dOut_, n, stream_);
  } else {
    // 046 divides by this rank's elements, the loss by those of all. 048 scales: 0 - (-share) d.
    const double share = static_cast<double>(T) / config_.T;
    mse_loss_backward(out_, target_, dX_, n, stream_);
    zero(dOut_, size(n));
    sgd_update(dOut_, dX_, n, static_cast<float>(-share), stream_);
  }
  backward();

  sgd_update(params_.Wg, grads_.Wg, D * E, lr, stream_);
  sgd_update(params_.W1, grads_.W1, own * D * H, lr, stream_);
  sgd_update(params_.b1, grads_.b1, own * H, lr, stream_);
  sgd_update(params_.W2, grads_.W2, own * H * D, lr, stream_);
  sgd_update(params_.b2, grads_.b2, own * D, lr, stream_);
}

void RankLayer::wait() const {
  check(cudaGetLastError(), "a step");
  check(cudaStreamSynchronize(stream_), "a step");
}

std::vector<float> RankLayer::train(int steps, float lr) {
  const std::size_t count = 2 * size(steps);
  DeviceMemory memory;
  float* const history = memory.allocate<float>(count);
  for (int s = 0; s < steps; ++s) {
    step(lr);
    check(cudaMemcpyAsync(history + 2 * s, workspace_.losses, 2 * sizeof(float),
                          cudaMemcpyDeviceToDevice, stream_),
          "keeping the losses");
  }
  wait();
  // Both losses are means over tokens, so the whole's is the ranks', each with its tokens' weight.
  const std::vector<float> mine = download(history, count);
  const std::vector<float> all = group_.all_gather(std::span<const float>(mine));
  std::vector<float> losses(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int rank = 0; rank < group_.size(); ++rank) {
      const int tokens = parallel::share_of(config_.T, group_.size(), rank).count;
      // Of no tokens it is 0, whatever the parameters.
      if (tokens > 0) sum += tokens * static_cast<double>(all[size(rank) * count + i]);
    }
    losses[i] = config_.T > 0 ? static_cast<float>(sum / config_.T) : 0.0f;
  }
  return losses;
}

std::vector<float> RankLayer::load() {
  route();
  wait();
  return download(workspace_.fractions, size(config_.E));
}

void RankLayer::exchange_rows() {
  send_rows(Xs_);
  return_rows(Xs_);
}

std::size_t RankLayer::bytes_sent() const {
  std::size_t floats = 0;
  for (const auto* pieces : {&outgoing_, &incoming_pieces_}) {
    for (const Piece& piece : *pieces) floats += piece.rank == group_.rank() ? 0 : piece.count;
  }
  return floats * sizeof(float);
}

// All ranks' arrays one after the other, on rank 0.
std::vector<float> RankLayer::gather(const float* mine,
                                     const std::vector<std::size_t>& counts) const {
  const std::size_t count = counts[size(group_.rank())];
  const std::vector<float> host = download(mine, count);
  const parallel::Outgoing out{0, host.data(), count * sizeof(float)};
  std::vector<float> all;
  std::vector<parallel::Incoming> in;
  if (group_.rank() == 0) {
    std::size_t total = 0;
    for (const std::size_t each : counts) total += each;
    all.resize(total);
    std::size_t first = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      in.push_back({static_cast<int>(rank), all.data() + first, counts[rank] * sizeof(float)});
      first += counts[rank];
    }
  }
  group_.exchange({&out, 1}, in);
  return all;
}

Parameters RankLayer::gather(const MoeParams& arrays) const {
  const std::size_t D = size(config_.D), H = size(config_.H);
  const auto of_experts = [&](const float* array, std::size_t width) {
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < group_.size(); ++rank) {
      counts.push_back(size(parallel::share_of(config_.E, group_.size(), rank).count) * width);
    }
    return gather(array, counts);
  };
  Parameters whole;
  whole.Wg = download(arrays.Wg, D * size(config_.E));  // the same on every rank
  whole.W1 = of_experts(arrays.W1, D * H);
  whole.b1 = of_experts(arrays.b1, H);
  whole.W2 = of_experts(arrays.W2, H * D);
  whole.b2 = of_experts(arrays.b2, D);
  return whole;
}

Parameters RankLayer::parameters() const {
  return gather(params_);
}

Parameters RankLayer::gradients() const {
  return gather(grads_);
}

std::vector<float> RankLayer::input_gradient() const {
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < group_.size(); ++rank) {
    counts.push_back(size(parallel::share_of(config_.T, group_.size(), rank).count) *
                     size(config_.D));
  }
  return gather(dX_, counts);
}

}  // namespace train
