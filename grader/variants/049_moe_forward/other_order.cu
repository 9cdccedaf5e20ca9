// Another order, the experts by their five functions, a gradient field as scratch: all free.
#include "moe/kernels.h"

namespace {

__global__ void copy_kernel(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

}  // namespace

void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream) {
  const MoeConfig& c = config;
  const int pairs = c.T * c.K;
  // The logits by way of scratch.
  router_logits(X, params.Wg, ws.dlogits, c.T, c.D, c.E, stream);
  const int n = c.T * c.E;
  if (n > 0) copy_kernel<<<(n + 127) / 128, 128, 0, stream>>>(ws.dlogits, ws.logits, n);
  softmax_rows(ws.logits, ws.probs, c.T, c.E, stream);
  mean_probs(ws.probs, ws.mean_probs, c.T, c.E, stream);
  // Choice and gates by the two lessons that 019 joins.
  topk_rows(ws.probs, ws.dgates, ws.experts, c.T, c.E, c.K, stream);
  normalize_gates(ws.dgates, ws.gates, c.T, c.K, stream);

  count_tokens(ws.experts, ws.counts, pairs, c.E, stream);
  dispatch_fractions(ws.counts, ws.fractions, pairs, c.E, stream);
  aux_loss(ws.fractions, ws.mean_probs, &ws.losses[1], c.E, c.aux_alpha, stream);
  expert_offsets(ws.counts, ws.offsets, c.E, stream);
  assign_slots(ws.experts, ws.offsets, ws.slot_of_pair, ws.pair_of_slot, pairs, c.E, stream);
  gather_tokens(X, ws.pair_of_slot, ws.Xs, c.T, c.D, c.K, stream);

  expert_up(ws.Xs, params.W1, ws.offsets, ws.Z, pairs, c.E, c.D, c.H, stream);
  expert_up_bias(ws.Z, params.b1, ws.offsets, pairs, c.E, c.H, stream);
  expert_activation(ws.Z, ws.A, pairs * c.H, c.activation, stream);
  expert_down(ws.A, params.W2, ws.offsets, ws.Ys, pairs, c.E, c.H, c.D, stream);
  expert_down_bias(ws.Ys, params.b2, ws.offsets, pairs, c.E, c.D, stream);
  combine_tokens(ws.Ys, ws.slot_of_pair, ws.gates, out, c.T, c.D, c.K, stream);
}
