// 050 moe_backward: the exact reverse of moe_forward, the auxiliary loss included; and a check of
// any gradient.
//
// X, dOut and dX [T,D] are row-major float arrays in device memory. The forward's fields of ws are
// only read; its gradient fields are scratch. The gradients of the parameters accumulate. T may be
// 0.
#include <cmath>

#include "moe/kernels.h"

void moe_backward(const MoeConfig& config, const MoeParams& params, const float* X,
                  const float* dOut, MoeWorkspace& ws, const MoeParams& grads, float* dX,
                  cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;

  // Combine: a gradient for each gate, and one for each row that an expert returned.
  combine_backward_gates(dOut, ws.Ys, ws.slot_of_pair, ws.dgates, T, D, K, stream);
  // TODO(1): the other half of combine: a gradient for each row that an expert returned.
  // END TODO(1)

  // TODO(2): the experts, one call: the gradients of their parameters, and of their rows.
  // END TODO(2)

  // TODO(3): the auxiliary loss, into ws.dprobs; then the router, which takes it along with what
  // the gates ask for.
  // END TODO(3)

  // TODO(4): X went two ways, to the experts and to the router. Both parts, added, into dX.
  // END TODO(4)
}

// Ordinary C++ on host memory. The loss was computed with h times `direction` added to the n inputs
// (or parameters), and with it subtracted: whether `gradient` predicts the difference.
extern "C" bool check_moe_backward(const float* gradient, const float* direction, int n,
                                   double loss_ahead, double loss_behind, double h) {
  // TODO(5): the slope along `direction`, predicted by the gradient and measured by the two losses.
  // Return false where they differ by more than 1e-3 of the sum of the sizes of the n products, or
  // where an element is NaN.
  // END TODO(5)
  return true;
}
