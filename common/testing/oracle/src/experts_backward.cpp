// Lessons 035 to 040.
#include <utility>

#include "groups.h"
#include "oracle/building_blocks.h"
#include "oracle/experts.h"
#include "product_sums.h"
#include "sizes.h"
#include "sums.h"

namespace oracle {

namespace {

// db0[e] + column sums of the rows of e.
Bounded grouped_column_sums(const Input& rows, const Offsets& offsets, const Input& db0, int P,
                            int E, int cols) {
  const std::size_t columns = to_size(cols);
  require_size(rows, to_size(P) * columns, "the rows");
  require_size(db0, to_size(E) * columns, "db");
  Bounded out = make_bounded(db0.size());
  std::size_t e = 0;
  for (const Group& group : groups(offsets, P, E)) {
    for (std::size_t c = 0; c < columns; ++c) {
      TermSum sum;
      sum.add(db0, e * columns + c);
      for (std::size_t r = 0; r < group.count; ++r) {
        sum.add(rows, (group.first + r) * columns + c);
      }
      sum.store(out, e * columns + c);
    }
    ++e;
  }
  return out;
}

// dW0[e] + X_e^T dY_e, X[P,in], dY[P,out].
Bounded grouped_weight_grad(const Input& X, const Input& dY, const Offsets& offsets,
                            const Input& dW0, int P, int E, int in, int out) {
  const std::size_t rows = to_size(in), columns = to_size(out);
  require_size(X, to_size(P) * rows, "the layer's input");
  require_size(dY, to_size(P) * columns, "the gradient");
  require_size(dW0, to_size(E) * rows * columns, "dW");
  ProductSums sums(dW0.size());
  sums.add_starts(dW0);
  std::size_t e = 0;
  for (const Group& group : groups(offsets, P, E)) {
    sums.add_product({X, group.first * rows, 1, rows}, {dY, group.first * columns, columns, 1},
                     e * rows * columns, rows, columns, group.count);
    ++e;
  }
  return sums.result();
}

}  // namespace

Bounded expert_down_bias_grad(const Input& dYs, const Offsets& offsets, const Input& db0, int P,
                              int E, int D) {
  return grouped_column_sums(dYs, offsets, db0, P, E, D);
}

Bounded expert_down_weight_grad(const Input& A, const Input& dYs, const Offsets& offsets,
                                const Input& dW0, int P, int E, int H, int D) {
  return grouped_weight_grad(A, dYs, offsets, dW0, P, E, H, D);
}

Bounded expert_hidden_grad(const Input& dYs, const Input& W2, const Offsets& offsets, int P, int E,
                           int H, int D) {
  const std::size_t inner = to_size(D), columns = to_size(H);
  require_size(dYs, to_size(P) * inner, "dYs");
  require_size(W2, to_size(E) * inner * columns, "W2");
  ProductSums sums(to_size(P) * columns);
  std::size_t e = 0;
  for (const Group& group : groups(offsets, P, E)) {
    sums.add_product({dYs, group.first * inner, inner, 1}, {W2, e * inner * columns, 1, inner},
                     group.first * columns, group.count, columns, inner);
    ++e;
  }
  return sums.result();
}

Bounded expert_activation_grad(const Input& Z, const Input& dA, Activation act) {
  return act == Activation::relu ? relu_backward(Z, dA) : gelu_backward(Z, dA);
}

UpGrads expert_up_grads(const Input& Xs, const Input& dZ, const Offsets& offsets, const Input& dW0,
                        const Input& db0, int P, int E, int D, int H) {
  return {grouped_weight_grad(Xs, dZ, offsets, dW0, P, E, D, H),
          grouped_column_sums(dZ, offsets, db0, P, E, H)};
}

ExpertBackward expert_backward_stages(const Input& Xs, const Input& Z, const Input& A,
                                      const Input& dYs, const Input& dA, const Input& dZ,
                                      const ParamInputs& params, const Offsets& offsets,
                                      const ParamInputs& grads0, int P, int E, int D, int H,
                                      Activation act) {
  ExpertBackward out;
  out.grads.Wg = to_bounded(grads0.Wg);
  out.grads.b2 = expert_down_bias_grad(dYs, offsets, grads0.b2, P, E, D);
  out.grads.W2 = expert_down_weight_grad(A, dYs, offsets, grads0.W2, P, E, H, D);
  out.dA = expert_hidden_grad(dYs, params.W2, offsets, P, E, H, D);
  out.dZ = expert_activation_grad(Z, dA, act);
  UpGrads up = expert_up_grads(Xs, dZ, offsets, grads0.W1, grads0.b1, P, E, D, H);
  out.grads.W1 = std::move(up.dW1);
  out.grads.b1 = std::move(up.db1);
  out.dXs = expert_hidden_grad(dZ, params.W1, offsets, P, E, D, H);
  return out;
}

ExpertBackward expert_backward(const Input& Xs, const Input& Z, const Input& A, const Input& dYs,
                               const ParamInputs& params, const Offsets& offsets,
                               const ParamInputs& grads0, int P, int E, int D, int H,
                               Activation act) {
  const Bounded dA = expert_hidden_grad(dYs, params.W2, offsets, P, E, H, D);
  const Bounded dZ = expert_activation_grad(Z, dA, act);
  return expert_backward_stages(Xs, Z, A, dYs, dA, dZ, params, offsets, grads0, P, E, D, H, act);
}

}  // namespace oracle
