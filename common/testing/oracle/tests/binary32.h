// The lessons' functions on the simulated device: right kernels in many styles.
#pragma once

#include "machine.h"
#include "moe/types.h"

namespace oracle_test::binary32 {

Floats matmul_nn(Machine& m, const Floats& A, const Floats& B, int M, int N, int K);
Floats matmul_nt(Machine& m, const Floats& A, const Floats& B, int M, int N, int K);
Floats matmul_tn(Machine& m, const Floats& A, const Floats& B, Floats C, int M, int N, int K);
Floats column_sums(Machine& m, const Floats& rows, Floats start, int cols);
float gelu(Machine& m, float x);
float gelu_slope(Machine& m, float x);
Floats softmax_rows(Machine& m, const Floats& x, int rows, int cols);
Floats softmax_rows_backward(Machine& m, const Floats& y, const Floats& dy, int rows, int cols);
Floats normalize_gates(Machine& m, const Floats& values, int rows, int k);
Floats normalize_gates_backward(Machine& m, const Floats& values, const Floats& dgates, int rows,
                                int k);
Floats combine_tokens(Machine& m, const Floats& Ys, const Ints& slot_of_pair, const Floats& gates,
                      int T, int D, int K);
Floats combine_backward_gates(Machine& m, const Floats& dOut, const Floats& Ys,
                              const Ints& slot_of_pair, int T, int D, int K);
Floats mean_probs(Machine& m, const Floats& probs, int T, int E);
float aux_loss(Machine& m, const Floats& fractions, const Floats& means, float alpha);
float mse_loss(Machine& m, const Floats& y, const Floats& target);
Floats mse_loss_backward(Machine& m, const Floats& y, const Floats& target);
Floats sgd_update(Machine& m, const Floats& w, const Floats& g, float lr);
Floats activation(Machine& m, const Floats& Z, Activation act);
Floats activation_grad(Machine& m, const Floats& Z, const Floats& dA, Activation act);

struct Params {
  Floats Wg, W1, b1, W2, b2;
};
struct RouterBackward {
  Floats dlogits, dWg, dX;
};
RouterBackward router_backward(Machine& m, const Floats& X, const Floats& Wg, const Floats& probs,
                               const Ints& experts, const Floats& dgates, const Floats& dprobs_aux,
                               const Floats& dWg0, int T, int D, int E, int K);

struct Layer {  // one training step
  Floats logits, probs;
  Ints experts;
  Floats gates;
  Ints counts, offsets, slot_of_pair, pair_of_slot;
  Floats Xs, Z, A, Ys, fractions, mean_probs, out;
  float aux = 0, mse = 0;
  Floats dOut, dYs, dA, dZ, dXs, dgates, dX;
  RouterBackward router;
  Params grads;
};
// What a mistaken layer does instead.
enum class Mistake {
  none,
  gate_on_input,       // the gate scales the expert's input
  no_auxiliary_grad,   // the loss is counted, its gradient is not
  dispatch_path_only,  // dX without the router's part
  gelu_by_erf,         // forward only
  no_renormalization,  // gates are the chosen probabilities
};
Layer forward(Machine& m, const MoeConfig& config, const Params& params, const Floats& X,
              Mistake mistake = Mistake::none);
// Adds the loss and all gradients; grads start at 0.
void backward(Machine& m, const MoeConfig& config, const Params& params, const Floats& X,
              const Floats& target, Layer& layer, Mistake mistake = Mistake::none);
Params update(Machine& m, const Params& params, const Params& grads, float lr);

}  // namespace oracle_test::binary32
