// 050 moe_backward, fast: 7 launches where there are few experts, instead of 14; with more than 16,
// whose router gradients are products worth a launch each, 11.
//
// One pass over the tokens makes the gradients of the gates, of the experts' rows and of the
// logits: each row is read once. The last launch adds up dX from all its sources while other blocks
// make dWg. The exercise's check, host code, is the clear file's.
//
// calls: 020_router_backward 037_expert_hidden_grad 038_expert_activation_grad
// calls: 039_expert_up_grads 044_aux_loss_backward
#include <cmath>

#include "../fast/layer.h"

void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream) {
  // The pass only reads dOut.
  fast::layer_at_tokens<fast::kBackward>(config, params, nullptr, ws, nullptr,
                                         const_cast<float*>(dOut), stream);
  fast::layer_from_rows(config, params, X, ws, grads, dX, stream);
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
