// mistake: aux-forgotten
// why: The auxiliary loss is left out, and its fields with it.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;

  // Router: a score for each token and expert; probabilities; who goes where, with what weight.
  router_logits(X, params.Wg, ws.logits, T, D, E, stream);
  router_probs(ws.logits, ws.probs, T, E, stream);
  router_topk(ws.probs, ws.experts, ws.gates, T, E, K, stream);

  // Dispatch: the pairs, packed by expert. The host never learns the counts, and never waits.
  const int P = T * K;
  count_tokens(ws.experts, ws.counts, P, E, stream);
  expert_offsets(ws.counts, ws.offsets, E, stream);
  assign_slots(ws.experts, ws.offsets, ws.slot_of_pair, ws.pair_of_slot, P, E, stream);
  gather_tokens(X, ws.pair_of_slot, ws.Xs, T, D, K, stream);

  // Experts, then each token's weighted sum of what its experts return.
  expert_forward(ws.Xs, params, ws.offsets, ws.Z, ws.A, ws.Ys, P, E, D, H, activation, stream);
  combine_tokens(ws.Ys, ws.slot_of_pair, ws.gates, out, T, D, K, stream);

  // The auxiliary loss.
}
