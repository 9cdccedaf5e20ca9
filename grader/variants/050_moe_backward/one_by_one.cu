// Every product on its own, the router part first: any order of independent calls will do.
#include <cmath>

#include "moe/kernels.h"

void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream) {
  const MoeConfig& c = config;
  const int pairs = c.T * c.K;
  combine_backward_gates(dOut, ws.Ys, ws.slot_of_pair, ws.dgates, c.T, c.D, c.K, stream);
  aux_loss_backward(ws.fractions, ws.dlogits, c.T, c.E, c.aux_alpha, stream);
  router_backward(X, params.Wg, ws.probs, ws.experts, ws.dgates, ws.dlogits, ws.dprobs, grads.Wg,
                  dX, c.T, c.D, c.E, c.K, stream);
  combine_backward_experts(dOut, ws.gates, ws.pair_of_slot, ws.dYs, c.T, c.D, c.K, stream);
  expert_down_bias_grad(ws.dYs, ws.offsets, grads.b2, pairs, c.E, c.D, stream);
  expert_down_weight_grad(ws.A, ws.dYs, ws.offsets, grads.W2, pairs, c.E, c.H, c.D, stream);
  expert_hidden_grad(ws.dYs, params.W2, ws.offsets, ws.dA, pairs, c.E, c.H, c.D, stream);
  expert_activation_grad(ws.Z, ws.dA, ws.dZ, pairs * c.H, c.activation, stream);
  expert_up_grads(ws.Xs, ws.dZ, ws.offsets, grads.W1, grads.b1, pairs, c.E, c.D, c.H, stream);
  expert_hidden_grad(ws.dZ, params.W1, ws.offsets, ws.dXs, pairs, c.E, c.D, c.H, stream);
  gather_tokens_backward(ws.dXs, ws.slot_of_pair, ws.dX_router, c.T, c.D, c.K, stream);
  elementwise_add(ws.dX_router, dX, dX, c.T * c.D, stream);
}

extern "C" bool check_moe_backward(const float* gradient, const float* direction, int n,
                                   double loss_ahead, double loss_behind, double h) {
  double difference = (loss_behind - loss_ahead) / h, size = 0;
  for (int i = 0; i < n; ++i) {
    if (std::isnan(gradient[i])) return false;
    difference += 2.0 * gradient[i] * direction[i];
    size += std::abs(2.0 * gradient[i] * direction[i]);
  }
  return std::abs(difference) <= 1e-3 * size;
}
