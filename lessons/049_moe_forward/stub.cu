// 049 moe_forward: the whole layer, router to combine, by the lessons' functions.
//
// X and out [T,D] are row-major float arrays in device memory; ws keeps what the backward needs.
// ws.losses[1] gets the auxiliary loss. T may be 0.
#include "moe/kernels.h"

void moe_forward(const MoeConfig& config, const MoeParams& params, const float* X, MoeWorkspace& ws,
                 float* out, cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;

  // Router: a score for each token and expert; probabilities; who goes where, with what weight.
  router_logits(X, params.Wg, ws.logits, T, D, E, stream);
  // TODO(1): the rest of the router, two calls: the probabilities, then the choice and its gates.
  // END TODO(1)

  // TODO(2): dispatch, four calls: counts, offsets, slots, the packed rows. The host never learns
  // the counts, so how many pairs does it speak of?
  // END TODO(2)

  // TODO(3): two calls: the experts on their rows; then each token's weighted sum of what its
  // experts return, into out.
  // END TODO(3)

  // TODO(4): the auxiliary loss, three calls: shares of the pairs, mean probabilities, and the
  // number itself, into the second of the two losses.
  // END TODO(4)
}
