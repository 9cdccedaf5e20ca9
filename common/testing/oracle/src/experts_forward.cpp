// Lessons 029 to 034.
#include "groups.h"
#include "oracle/building_blocks.h"
#include "oracle/experts.h"
#include "product_sums.h"
#include "sizes.h"
#include "sums.h"

namespace oracle {

namespace {

// out[rows of e] += X[rows of e] W[e]
void add_grouped(ProductSums& sums, const Input& X, const Input& W, const Offsets& offsets, int P,
                 int E, int in, int out) {
  const std::size_t inner = to_size(in), columns = to_size(out);
  require_size(X, to_size(P) * inner, "the rows");
  require_size(W, to_size(E) * inner * columns, "the weights");
  std::size_t e = 0;
  for (const Group& group : groups(offsets, P, E)) {
    sums.add_product({X, group.first * inner, inner, 1}, {W, e * inner * columns, columns, 1},
                     group.first * columns, group.count, columns, inner);
    ++e;
  }
}

// The index into b[E,columns] that each element of [P,columns] adds.
std::vector<std::size_t> bias_of_element(const Offsets& offsets, int P, int E,
                                         std::size_t columns) {
  std::vector<std::size_t> index(to_size(P) * columns);
  std::size_t e = 0;
  for (const Group& group : groups(offsets, P, E)) {
    for (std::size_t i = group.first * columns; i < (group.first + group.count) * columns; ++i) {
      index[i] = e * columns + i % columns;
    }
    ++e;
  }
  return index;
}

// One addition an element.
Bounded add_bias(const Input& rows, const Input& b, const Offsets& offsets, int P, int E,
                 int cols) {
  const std::size_t columns = to_size(cols);
  require_size(rows, to_size(P) * columns, "the rows");
  require_size(b, to_size(E) * columns, "the bias");
  const std::vector<std::size_t> bias = bias_of_element(offsets, P, E, columns);
  Bounded out = make_bounded(rows.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    store_addition(rows, i, b, bias[i], out);
  }
  return out;
}

Bounded grouped_product(const Input& X, const Input& W, const Offsets& offsets, int P, int E,
                        int in, int out) {
  ProductSums sums(to_size(P) * to_size(out));
  add_grouped(sums, X, W, offsets, P, E, in, out);
  return sums.result();
}

}  // namespace

Bounded expert_up(const Input& Xs, const Input& W1, const Offsets& offsets, int P, int E, int D,
                  int H) {
  return grouped_product(Xs, W1, offsets, P, E, D, H);
}

Bounded expert_up_bias(const Input& Z0, const Input& b1, const Offsets& offsets, int P, int E,
                       int H) {
  return add_bias(Z0, b1, offsets, P, E, H);
}

Bounded expert_activation(const Input& Z, Activation act) {
  return act == Activation::relu ? relu_forward(Z) : gelu_forward(Z);
}

Bounded expert_down(const Input& A, const Input& W2, const Offsets& offsets, int P, int E, int H,
                    int D) {
  return grouped_product(A, W2, offsets, P, E, H, D);
}

Bounded expert_down_bias(const Input& Ys0, const Input& b2, const Offsets& offsets, int P, int E,
                         int D) {
  return add_bias(Ys0, b2, offsets, P, E, D);
}

Bounded expert_linear(const Input& X, const Input& W, const Input& b, const Offsets& offsets, int P,
                      int E, int in, int out) {
  require_size(b, to_size(E) * to_size(out), "the bias");
  ProductSums sums(to_size(P) * to_size(out));
  const std::vector<std::size_t> bias = bias_of_element(offsets, P, E, to_size(out));
  for (std::size_t i = 0; i < bias.size(); ++i) sums.add_start(i, b, bias[i]);
  add_grouped(sums, X, W, offsets, P, E, in, out);
  return sums.result();
}

ExpertForward expert_forward(const Input& Xs, const ParamInputs& params, const Offsets& offsets,
                             int P, int E, int D, int H, Activation act) {
  ExpertForward out;
  out.Z = expert_linear(Xs, params.W1, params.b1, offsets, P, E, D, H);
  out.A = expert_activation(out.Z, act);
  out.Ys = expert_linear(out.A, params.W2, params.b2, offsets, P, E, H, D);
  return out;
}

ExpertForward expert_forward_stages(const Input& Xs, const Input& Z, const Input& A,
                                    const ParamInputs& params, const Offsets& offsets, int P, int E,
                                    int D, int H, Activation act) {
  ExpertForward out;
  out.Z = expert_linear(Xs, params.W1, params.b1, offsets, P, E, D, H);
  out.A = expert_activation(Z, act);
  out.Ys = expert_linear(A, params.W2, params.b2, offsets, P, E, H, D);
  return out;
}

}  // namespace oracle
