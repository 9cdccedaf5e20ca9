// 050 moe_backward: the exact reverse of moe_forward, the auxiliary loss included.
//
// X, dOut and dX [T,D] are row-major float arrays in device memory. The forward's fields of ws are
// only read; its gradient fields are scratch. The gradients of the parameters accumulate. T may be
// 0.
#include "moe/kernels.h"

void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream) {
  const int T = config.T, D = config.D, H = config.H, E = config.E, K = config.K;
  const int P = T * K;

  // Combine: a gradient for each gate, and one for each row that an expert returned.
  combine_backward_gates(dOut, ws.Ys, ws.slot_of_pair, ws.dgates, T, D, K, stream);
  combine_backward_experts(dOut, ws.gates, ws.pair_of_slot, ws.dYs, T, D, K, stream);

  // Experts.
  expert_backward(ws.Xs, ws.Z, ws.A, ws.dYs, params, ws.offsets, ws.dA, ws.dZ, ws.dXs, grads, P, E,
                  D, H, config.activation, stream);

  // Router: what the gates ask for, and what the auxiliary loss does.
  aux_loss_backward(ws.fractions, ws.dprobs, T, E, config.aux_alpha, stream);
  router_backward(X, params.Wg, ws.probs, ws.experts, ws.dgates, ws.dprobs, ws.dlogits, grads.Wg,
                  ws.dX_router, T, D, E, K, stream);

  // X went two ways, to the experts and to the router: its gradient is the sum of both.
  gather_tokens_backward(ws.dXs, ws.slot_of_pair, dX, T, D, K, stream);
  elementwise_add(dX, ws.dX_router, dX, T * D, stream);
}
