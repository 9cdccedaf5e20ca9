// mistake: adds-to-dx
// why: Adds both parts to what dX held.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;

  // Combine: a gradient for each gate, and one for each row that an expert returned.
  combine_backward_gates(dOut, ws.Ys, ws.slot_of_pair, ws.dgates, T, D, K, stream);
  combine_backward_experts(dOut, ws.gates, ws.pair_of_slot, ws.dYs, T, D, K, stream);

  // Experts: the gradients of their parameters, and of their rows.
  expert_backward(ws.Xs, ws.Z, ws.A, ws.dYs, params, ws.offsets, ws.dA, ws.dZ, ws.dXs, grads, T * K,
                  E, D, H, activation, stream);

  // Router: what the gates ask for, and what the auxiliary loss does.
  aux_loss_backward(ws.fractions, ws.dprobs, T, E, aux_alpha, stream);
  router_backward(X, params.Wg, ws.probs, ws.experts, ws.dgates, ws.dprobs, ws.dlogits, grads.Wg,
                  ws.dX_router, T, D, E, K, stream);

  // X went two ways, to the experts and to the router: its gradient is the sum of both.
  gather_tokens_backward(ws.dXs, ws.slot_of_pair, ws.dYs, T, D, K, stream);
  elementwise_add(dX, ws.dYs, dX, T * D, stream);
  elementwise_add(dX, ws.dX_router, dX, T * D, stream);
}

// Ordinary C++ on host memory. The loss was computed with h times `direction` added to the n inputs
// (or parameters), and with it subtracted: whether `gradient` predicts the difference.
extern "C" bool check_moe_backward(const float* gradient, const float* direction, int n,
                                   double loss_ahead, double loss_behind, double h) {
  double slope = 0, size = 0;  // the sum of the products, and of their sizes
  for (int i = 0; i < n; ++i) {
    const double term = static_cast<double>(gradient[i]) * direction[i];
    slope += term;
    size += std::fabs(term);
  }
  const double measured = (loss_ahead - loss_behind) / (2 * h);
  if (!(std::fabs(slope - measured) <= 1e-3 * size)) return false;  // so for NaN, too
  return true;
}
