// The whole layer in few launches: what 049 to 052 have in common. Steps on the same data are
// fused, except the products: a launch ends only where a block needs what another one made.
#pragma once

#include "experts.h"
#include "gather_and_zero.h"
#include "moe/kernels.h"
#include "route.h"
#include "token_grads.h"
#include "token_pass.h"

namespace fast {

inline Routes routes_in(const MoeWorkspace& ws) {
  return {ws.probs, ws.experts, ws.gates, ws.counts, ws.offsets, ws.slot_of_pair, ws.pair_of_slot};
}

inline RouteLoss route_loss_in(const MoeWorkspace& ws, float aux_alpha) {
  return {ws.fractions, ws.mean_probs, ws.losses + 1, aux_alpha};
}

// Router and dispatch, the auxiliary loss, the experts' two layers: all but the experts' second
// bias and what the tokens make of their rows. zeroed: gradients to set to 0 in one of these
// launches; null for none.
inline void layer_up_to_rows(const MoeConfig& config, const MoeParams& params, const float* X,
                             MoeWorkspace& ws, const MoeParams* zeroed, cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  router_logits(X, params.Wg, ws.logits, T, D, E, stream);
  route_pairs<true>(ws.logits, routes_in(ws), route_loss_in(ws, aux_alpha), T, E, K, stream);
  const RowsToTheirSlots rows{X, ws.slot_of_pair, ws.Xs, D, K};
  if (zeroed != nullptr) {
    gather_rows_and_zero(rows, T, ParamBlocks(*zeroed, {}, config), stream);
  } else {
    gather_rows(rows, T, stream);
  }
  experts_forward(ws.Xs, params, ws.offsets, ws.Z, ws.A, ws.Ys, T * K, E, D, H, activation, stream);
}

// What the tokens make of their rows. kParts as in token_pass.h, without the router: that part is
// added where there are few experts; with many, 020 does it better.
template <int kParts>
void layer_at_tokens(const MoeConfig& config, const MoeParams& params, const float* target,
                     MoeWorkspace& ws, float* out, float* dOut, cudaStream_t stream) {
  TokenPass pass{};
  pass.slot_of_pair = ws.slot_of_pair;
  pass.experts = ws.experts;
  pass.gates = ws.gates;
  pass.T = config.T, pass.D = config.D, pass.E = config.E, pass.K = config.K;
  pass.Ys = ws.Ys;
  pass.b2 = params.b2;
  pass.out = out;
  pass.target = target;
  pass.dOut = dOut;
  pass.loss = ws.losses;
  pass.dYs = ws.dYs;
  pass.dgates = ws.dgates;
  pass.probs = ws.probs;
  pass.fractions = ws.fractions;
  pass.aux_alpha = config.aux_alpha;
  pass.dlogits = ws.dlogits;
  if constexpr ((kParts & kBackward) != 0) {
    if (config.E <= kFewExperts) return token_pass<kParts | kRouter>(pass, stream);
  }
  token_pass<kParts>(pass, stream);
}

inline TokenGrads token_grads_of(const MoeConfig& config, const MoeParams& params, const float* X,
                                 const MoeWorkspace& ws, const MoeParams& grads) {
  TokenGrads all{};
  all.dXs = ws.dXs;
  all.slot_of_pair = ws.slot_of_pair;
  all.dX_router = ws.dX_router;
  all.X = X;
  all.Wg = params.Wg;
  all.dlogits = ws.dlogits;
  all.dWg = grads.Wg;
  all.T = config.T, all.D = config.D, all.E = config.E, all.K = config.K;
  return all;
}

// From the gradients of the experts' rows, of the gates and, with few experts, of the logits to
// those of the parameters and of X.
inline void layer_from_rows(const MoeConfig& config, const MoeParams& params, const float* X,
                            MoeWorkspace& ws, const MoeParams& grads, float* dX,
                            cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  experts_backward(ws.Xs, ws.Z, ws.A, ws.dYs, params, ws.offsets, ws.dA, ws.dZ, ws.dXs, grads,
                   T * K, E, D, H, activation, stream);
  if (E > kFewExperts) {
    aux_loss_backward(ws.fractions, ws.dprobs, T, E, aux_alpha, stream);
    router_backward(X, params.Wg, ws.probs, ws.experts, ws.dgates, ws.dprobs, ws.dlogits, grads.Wg,
                    ws.dX_router, T, D, E, K, stream);
  }
  TokenGrads last = token_grads_of(config, params, X, ws, grads);
  last.dX = dX;
  token_grads(last, stream);
}

}  // namespace fast
