// Lessons 049 to 052: the functions of the earlier lessons in their order.
#include "oracle/layer.h"

#include <utility>

#include "oracle/balance.h"
#include "oracle/building_blocks.h"
#include "oracle/dispatch.h"
#include "oracle/gating.h"
#include "oracle/router.h"
#include "oracle/training.h"
#include "product_sums.h"
#include "sizes.h"

namespace oracle {

namespace {

// `kernel`: each stage reads the kernel's own arrays instead of this forward's. `experts`: given.
Forward forward(const MoeConfig& config, const ParamInputs& params, const Input& X,
                const ForwardInputs* kernel, const std::vector<int>* experts) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  const int P = T * K;
  Forward out;
  const auto saved = [&](Input ForwardInputs::*field, const Bounded& own) {
    return kernel == nullptr ? Input(own) : kernel->*field;
  };
  out.logits = router_logits(X, params.Wg, T, D, E);
  out.probs = router_probs(saved(&ForwardInputs::logits, out.logits), T, E);
  const Input probs = saved(&ForwardInputs::probs, out.probs);
  out.experts = experts != nullptr ? *experts : topk_rows(probs, T, E, K).indices;
  out.certain = choice_is_certain(probs, T, E, K);
  out.gates = normalize_gates(chosen_probs(probs, out.experts, T, E, K), T, K);

  out.counts = count_tokens(out.experts, E);
  out.offsets = expert_offsets(out.counts);
  Slots slots = assign_slots(out.experts, out.offsets);
  out.slot_of_pair = std::move(slots.slot_of_pair);
  out.pair_of_slot = std::move(slots.pair_of_slot);
  out.Xs = gather_tokens(X, out.pair_of_slot, T, D, K);

  const Input Xs = saved(&ForwardInputs::Xs, out.Xs);
  out.Z = expert_linear(Xs, params.W1, params.b1, out.offsets, P, E, D, H);
  out.A = expert_activation(saved(&ForwardInputs::Z, out.Z), activation);
  out.Ys =
      expert_linear(saved(&ForwardInputs::A, out.A), params.W2, params.b2, out.offsets, P, E, H, D);
  out.out = combine_tokens(saved(&ForwardInputs::Ys, out.Ys), out.slot_of_pair,
                           saved(&ForwardInputs::gates, out.gates), T, D, K);

  out.fractions = dispatch_fractions(out.counts, P);
  out.mean_probs = mean_probs(probs, T, E);
  out.aux = aux_loss(saved(&ForwardInputs::fractions, out.fractions),
                     saved(&ForwardInputs::mean_probs, out.mean_probs), aux_alpha);
  return out;
}

}  // namespace

ForwardInputs Forward::inputs() const {
  return {logits,       probs, experts, gates, counts, offsets,   slot_of_pair,
          pair_of_slot, Xs,    Z,       A,     Ys,     fractions, mean_probs};
}

Forward moe_forward(const MoeConfig& config, const ParamInputs& params, const Input& X) {
  return forward(config, params, X, nullptr, nullptr);
}

Forward moe_forward_frozen(const MoeConfig& config, const ParamInputs& params, const Input& X,
                           const std::vector<int>& experts) {
  return forward(config, params, X, nullptr, &experts);
}

Forward moe_forward_stages(const MoeConfig& config, const ParamInputs& params, const Input& X,
                           const ForwardInputs& kernel) {
  return forward(config, params, X, &kernel, nullptr);
}

Backward moe_backward(const MoeConfig& config, const ParamInputs& params, const Input& X,
                      const Input& dOut, const ForwardInputs& saved, const ParamInputs& grads0) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  const int P = T * K;
  Backward out;
  out.dYs = combine_backward_experts(dOut, saved.gates, saved.pair_of_slot, T, D, K);
  out.dgates = combine_backward_gates(dOut, saved.Ys, saved.slot_of_pair, T, D, K);

  ExpertBackward experts = expert_backward(saved.Xs, saved.Z, saved.A, out.dYs, params,
                                           saved.offsets, grads0, P, E, D, H, activation);
  out.dA = std::move(experts.dA);
  out.dZ = std::move(experts.dZ);
  out.dXs = std::move(experts.dXs);
  out.grads = std::move(experts.grads);

  out.dprobs_aux = aux_loss_backward(saved.fractions, T, aux_alpha);
  RouterBackward router = router_backward(X, params.Wg, saved.probs, saved.experts, out.dgates,
                                          out.dprobs_aux, grads0.Wg, T, D, E, K);
  out.dprobs = std::move(router.dprobs);
  out.dlogits = std::move(router.dlogits);
  out.grads.Wg = std::move(router.dWg);
  out.dX_router = std::move(router.dX);

  // Both paths into X as one sum of K terms and E products: a kernel may add them in any order.
  const std::size_t width = to_size(D), choices = to_size(K);
  ProductSums dX(to_size(T) * width);
  const Input dXs(out.dXs), dlogits(out.dlogits);
  for (std::size_t i = 0; i < dX.value.size(); ++i) {
    for (std::size_t j = 0; j < choices; ++j) {
      const std::size_t slot = to_size(saved.slot_of_pair[i / width * choices + j]);
      dX.add_start(i, dXs, slot * width + i % width);
    }
  }
  dX.add_product({dlogits, 0, to_size(E), 1}, {params.Wg, 0, 1, to_size(E)}, 0, to_size(T), width,
                 to_size(E));
  out.dX = dX.result();
  return out;
}

TrainStep train_step(const MoeConfig& config, const ParamInputs& params, const Input& X,
                     const Input& target, double lr) {
  TrainStep step;
  step.forward = moe_forward(config, params, X);
  step.mse = mse_loss(step.forward.out, target);
  step.dOut = mse_loss_backward(step.forward.out, target);
  const BoundedParams cleared = zero_grads(config);
  step.backward =
      moe_backward(config, params, X, step.dOut, step.forward.inputs(), cleared.inputs());
  const BoundedParams& g = step.backward.grads;
  step.params = {sgd_update(params.Wg, g.Wg, lr), sgd_update(params.W1, g.W1, lr),
                 sgd_update(params.b1, g.b1, lr), sgd_update(params.W2, g.W2, lr),
                 sgd_update(params.b2, g.b2, lr)};
  return step;
}

TrainLoop train_loop(const MoeConfig& config, const ParamInputs& params, const Input& X,
                     const Input& target, double lr, int steps) {
  TrainLoop loop;
  loop.loss_history = make_bounded(2 * to_size(steps));
  loop.params = {to_bounded(params.Wg), to_bounded(params.W1), to_bounded(params.b1),
                 to_bounded(params.W2), to_bounded(params.b2)};
  for (std::size_t s = 0; s < to_size(steps); ++s) {
    loop.last = train_step(config, s == 0 ? params : loop.params.inputs(), X, target, lr);
    loop.certain = loop.certain && loop.last.forward.certain;
    loop.loss_history.value[2 * s] = loop.last.mse.value[0];
    loop.loss_history.bound[2 * s] = loop.last.mse.bound[0];
    loop.loss_history.value[2 * s + 1] = loop.last.forward.aux.value[0];
    loop.loss_history.bound[2 * s + 1] = loop.last.forward.aux.bound[0];
    loop.params = loop.last.params;
  }
  return loop;
}

}  // namespace oracle
