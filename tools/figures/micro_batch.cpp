// Computes the workbook's micro-batch: one step of the whole layer on three tokens, small enough to
// follow by hand. Examples, figures and the first case of the graders read the file it writes.
//
//   micro_batch            prints lessons/micro_batch.json
//   micro_batch --check F  recomputes everything, compares with F, compares every gradient with a
//                          central difference, and with the values that the notes quote
//
// All arithmetic is in double precision and follows docs/conventions.md: softmax over all experts,
// then the top K, then gates that sum to 1; load-balancing loss alpha * E * sum f_e P_e with f held
// constant; ReLU with gradient 0 at 0.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Values = std::vector<double>;
using Indices = std::vector<std::size_t>;

constexpr std::size_t T = 3, D = 2, E = 4, K = 2, H = 3, P = T * K;
constexpr double alpha = 0.1;
constexpr double learning_rate = 0.1;

struct Params {
  Values Wg, W1, b1, W2, b2;

  // The five arrays, for code that treats all parameters alike.
  std::vector<Values*> all() { return {&Wg, &W1, &b1, &W2, &b2}; }
};

Params initial_params() {
  Params p;
  const double ln2 = std::log(2.0);
  for (const double w : {0, -1, 1, -2, 1, -1, -2, 0}) p.Wg.push_back(w * ln2);
  p.W1 = {1, 0,  -1, 1, 1, 0, 1, 1, -1, -1, 0,  1,  //
          1, -1, 0,  0, 1, 1, 0, 1, 1,  1,  -1, 0};
  p.b1 = {.5, -.5, .5, .5, .5, .5, -.5, .5, .5, .5, .5, -.5};
  p.W2 = {2, 0, 0, 2,  2,  -2, 1,  1, 1, -1, 0, 1,  //
          2, 2, 0, -2, -2, 0,  -2, 2, 2, 0,  0, 2};
  p.b2 = {0, 1, 1, 1, 1, 0, 0, -1};
  return p;
}

const Values tokens = {1, 0, 0, 1, 1, 1};
const Values targets = {0, 2, 2, 1, 3, 2};

// ---- small dense algebra, row-major; the names say which operand is transposed ----

Values product_nn(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t k) {
  Values c(m * n, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t q = 0; q < k; ++q) c[i * n + j] += a[i * k + q] * b[q * n + j];
  return c;
}

Values product_nt(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t k) {
  Values c(m * n, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t q = 0; q < k; ++q) c[i * n + j] += a[i * k + q] * b[j * k + q];
  return c;
}

Values product_tn(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t k) {
  Values c(m * n, 0.0);
  for (std::size_t q = 0; q < k; ++q)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[q * m + i] * b[q * n + j];
  return c;
}

// ---- forward ----

struct Forward {
  Values logits, probs, gates;
  Indices experts, counts, offsets, slot_of_pair, pair_of_slot;
  Values Xs, Z, A, Ys_before_bias, Ys, fractions, mean_probs, out;
  double mse = 0, aux = 0;
  double total() const { return mse + aux; }
};

void route(const Params& p, const Values& X, Forward& f) {
  f.logits = product_nn(X, p.Wg, T, E, D);
  for (std::size_t t = 0; t < T; ++t) {
    const double* row = &f.logits[t * E];
    const double largest = *std::max_element(row, row + E);
    Values exps;
    for (std::size_t e = 0; e < E; ++e) exps.push_back(std::exp(row[e] - largest));
    const double sum = std::accumulate(exps.begin(), exps.end(), 0.0);
    for (const double x : exps) f.probs.push_back(x / sum);

    Indices order(E);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return f.probs[t * E + a] > f.probs[t * E + b];
    });
    double chosen = 0;
    for (std::size_t j = 0; j < K; ++j) chosen += f.probs[t * E + order[j]];
    for (std::size_t j = 0; j < K; ++j) {
      f.experts.push_back(order[j]);
      f.gates.push_back(f.probs[t * E + order[j]] / chosen);
    }
  }
}

void dispatch(const Values& X, Forward& f) {
  f.counts.assign(E, 0);
  for (const std::size_t e : f.experts) ++f.counts[e];
  f.offsets.assign(E + 1, 0);
  for (std::size_t e = 0; e < E; ++e) f.offsets[e + 1] = f.offsets[e] + f.counts[e];
  Indices next(f.offsets.begin(), f.offsets.end() - 1);
  f.slot_of_pair.assign(P, 0);
  f.pair_of_slot.assign(P, 0);
  f.Xs.assign(P * D, 0);
  for (std::size_t pair = 0; pair < P; ++pair) {
    const std::size_t slot = next[f.experts[pair]]++;
    f.slot_of_pair[pair] = slot;
    f.pair_of_slot[slot] = pair;
    for (std::size_t d = 0; d < D; ++d) f.Xs[slot * D + d] = X[pair / K * D + d];
  }
}

void apply_experts(const Params& p, Forward& f) {
  f.Z.assign(P * H, 0);
  f.A.assign(P * H, 0);
  f.Ys_before_bias.assign(P * D, 0);
  f.Ys.assign(P * D, 0);
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t s = f.offsets[e]; s < f.offsets[e + 1]; ++s) {
      for (std::size_t h = 0; h < H; ++h) {
        double z = p.b1[e * H + h];
        for (std::size_t d = 0; d < D; ++d) z += f.Xs[s * D + d] * p.W1[(e * D + d) * H + h];
        f.Z[s * H + h] = z;
        f.A[s * H + h] = std::max(z, 0.0);
      }
      for (std::size_t d = 0; d < D; ++d) {
        double y = 0;
        for (std::size_t h = 0; h < H; ++h) y += f.A[s * H + h] * p.W2[(e * H + h) * D + d];
        f.Ys_before_bias[s * D + d] = y;
        f.Ys[s * D + d] = y + p.b2[e * D + d];
      }
    }
  }
}

Forward forward(const Params& p, const Values& X) {
  Forward f;
  route(p, X, f);
  dispatch(X, f);
  apply_experts(p, f);

  f.out.assign(T * D, 0);
  for (std::size_t pair = 0; pair < P; ++pair)
    for (std::size_t d = 0; d < D; ++d)
      f.out[pair / K * D + d] += f.gates[pair] * f.Ys[f.slot_of_pair[pair] * D + d];

  for (std::size_t i = 0; i < T * D; ++i) f.mse += std::pow(f.out[i] - targets[i], 2) / (T * D);
  for (std::size_t e = 0; e < E; ++e) {
    f.fractions.push_back(static_cast<double>(f.counts[e]) / P);
    double mean = 0;
    for (std::size_t t = 0; t < T; ++t) mean += f.probs[t * E + e] / T;
    f.mean_probs.push_back(mean);
    f.aux += alpha * E * f.fractions[e] * mean;
  }
  return f;
}

// ---- backward ----

struct Backward {
  Values dOut, dYs, dgates, dprobs_aux, dlogits_task, dlogits_aux, dlogits, dA, dZ, dXs, dX_router;
  Values dX;
  Params grads;
};

// The gradient on the logits of all tokens, given those on the gates and directly on the probs.
Values logits_gradient(const Forward& f, const Values& dgates, const Values& dprobs) {
  Values dlogits(T * E);
  for (std::size_t t = 0; t < T; ++t) {
    double sum = 0, dot = 0;
    for (std::size_t j = 0; j < K; ++j) {
      sum += f.probs[t * E + f.experts[t * K + j]];
      dot += dgates[t * K + j] * f.gates[t * K + j];
    }
    Values dp(dprobs.begin() + static_cast<std::ptrdiff_t>(t * E),
              dprobs.begin() + static_cast<std::ptrdiff_t>((t + 1) * E));
    for (std::size_t j = 0; j < K; ++j) dp[f.experts[t * K + j]] += (dgates[t * K + j] - dot) / sum;
    double mean = 0;
    for (std::size_t e = 0; e < E; ++e) mean += f.probs[t * E + e] * dp[e];
    for (std::size_t e = 0; e < E; ++e) dlogits[t * E + e] = f.probs[t * E + e] * (dp[e] - mean);
  }
  return dlogits;
}

Backward backward(const Params& p, const Values& X, const Forward& f) {
  Backward b;
  for (std::size_t i = 0; i < T * D; ++i) b.dOut.push_back(2 * (f.out[i] - targets[i]) / (T * D));

  b.dYs.assign(P * D, 0);
  b.dgates.assign(P, 0);
  for (std::size_t pair = 0; pair < P; ++pair)
    for (std::size_t d = 0; d < D; ++d) {
      const std::size_t slot = f.slot_of_pair[pair];
      b.dYs[slot * D + d] = f.gates[pair] * b.dOut[pair / K * D + d];
      b.dgates[pair] += b.dOut[pair / K * D + d] * f.Ys[slot * D + d];
    }

  for (std::size_t i = 0; i < T * E; ++i)
    b.dprobs_aux.push_back(alpha * E * f.fractions[i % E] / T);
  b.dlogits_task = logits_gradient(f, b.dgates, Values(T * E, 0));
  b.dlogits_aux = logits_gradient(f, Values(P, 0), b.dprobs_aux);
  b.dlogits = logits_gradient(f, b.dgates, b.dprobs_aux);
  b.grads.Wg = product_tn(X, b.dlogits, D, E, T);
  b.dX_router = product_nt(b.dlogits, p.Wg, T, D, E);

  b.dA.assign(P * H, 0);
  b.dZ.assign(P * H, 0);
  b.dXs.assign(P * D, 0);
  b.grads.W1.assign(E * D * H, 0);
  b.grads.b1.assign(E * H, 0);
  b.grads.W2.assign(E * H * D, 0);
  b.grads.b2.assign(E * D, 0);
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t s = f.offsets[e]; s < f.offsets[e + 1]; ++s) {
      for (std::size_t d = 0; d < D; ++d) b.grads.b2[e * D + d] += b.dYs[s * D + d];
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t d = 0; d < D; ++d) {
          b.grads.W2[(e * H + h) * D + d] += f.A[s * H + h] * b.dYs[s * D + d];
          b.dA[s * H + h] += b.dYs[s * D + d] * p.W2[(e * H + h) * D + d];
        }
        b.dZ[s * H + h] = f.Z[s * H + h] > 0 ? b.dA[s * H + h] : 0;
        b.grads.b1[e * H + h] += b.dZ[s * H + h];
        for (std::size_t d = 0; d < D; ++d) {
          b.grads.W1[(e * D + d) * H + h] += f.Xs[s * D + d] * b.dZ[s * H + h];
          b.dXs[s * D + d] += b.dZ[s * H + h] * p.W1[(e * D + d) * H + h];
        }
      }
    }
  }
  b.dX = b.dX_router;
  for (std::size_t pair = 0; pair < P; ++pair)
    for (std::size_t d = 0; d < D; ++d)
      b.dX[pair / K * D + d] += b.dXs[f.slot_of_pair[pair] * D + d];
  return b;
}

Params step(Params p, Backward& b, double rate) {
  const auto gradients = b.grads.all();
  const auto arrays = p.all();
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (std::size_t i = 0; i < arrays[a]->size(); ++i)
      (*arrays[a])[i] -= rate * (*gradients[a])[i];
  return p;
}

// ---- the file ----

struct Array {
  std::string name, type;
  std::vector<std::string> axes;
  std::vector<std::size_t> shape;
  Values values;
};

struct Batch {
  std::vector<Array> arrays;
  std::vector<std::pair<std::string, double>> scalars;
  // lesson -> its small worked example: sizes, then arrays
  struct Example {
    std::string lesson;
    std::vector<std::pair<std::string, std::size_t>> sizes;
    std::vector<std::pair<std::string, Values>> arrays;
  };
  std::vector<Example> examples;
};

std::size_t size_of(const std::string& axis) {
  static const std::map<std::string, std::size_t> sizes = {
      {"T", T}, {"D", D}, {"E", E}, {"K", K}, {"H", H}, {"P", P}, {"E+1", E + 1}};
  return sizes.at(axis);
}

void add(Batch& batch, const std::string& name, std::vector<std::string> axes, Values values,
         const std::string& type = "float") {
  Array a{name, type, std::move(axes), {}, std::move(values)};
  std::size_t elements = 1;
  for (const auto& axis : a.axes) {
    a.shape.push_back(size_of(axis));
    elements *= a.shape.back();
  }
  if (elements != a.values.size()) throw std::logic_error(name + " has the wrong size");
  batch.arrays.push_back(std::move(a));
}

void add(Batch& batch, const std::string& name, std::vector<std::string> axes, const Indices& v) {
  add(batch, name, std::move(axes), Values(v.begin(), v.end()), "int");
}

void add_params(Batch& batch, const std::string& before, const std::string& after,
                const Params& p) {
  add(batch, before + "Wg" + after, {"D", "E"}, p.Wg);
  add(batch, before + "W1" + after, {"E", "D", "H"}, p.W1);
  add(batch, before + "b1" + after, {"E", "H"}, p.b1);
  add(batch, before + "W2" + after, {"E", "H", "D"}, p.W2);
  add(batch, before + "b2" + after, {"E", "D"}, p.b2);
}

// The first lessons work on whole numbers: the router's weights without their factor ln 2.
void add_examples(Batch& batch, const Forward& f) {
  const Values W = {0, -1, 1, -2, 1, -1, -2, 0};
  const Values dY = {1, 0, 2, 0, 0, 1, 0, -1, 1, 1, 0, 0};
  const Values before(D * E, 10.0);
  Values after = product_tn(tokens, dY, D, E, T);
  for (std::size_t i = 0; i < after.size(); ++i) after[i] += before[i];
  batch.examples.push_back({"001_matmul_nn",
                            {{"M", T}, {"N", E}, {"K", D}},
                            {{"A", tokens}, {"B", W}, {"C", product_nn(tokens, W, T, E, D)}}});
  batch.examples.push_back({"002_matmul_nt",
                            {{"M", T}, {"N", D}, {"K", E}},
                            {{"A", dY}, {"B", W}, {"C", product_nt(dY, W, T, D, E)}}});
  batch.examples.push_back(
      {"003_matmul_tn",
       {{"M", D}, {"N", E}, {"K", T}},
       {{"A", tokens}, {"B", dY}, {"C_before", before}, {"C", std::move(after)}}});

  // Expert 0's rows, before and after its second bias.
  const std::size_t rows = f.counts[0];
  const auto head = [&](const Values& v) {
    return Values(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(rows * D));
  };
  batch.examples.push_back({"004_bias_add",
                            {{"rows", rows}, {"cols", D}},
                            {{"X", head(f.Ys_before_bias)}, {"b", {0, 1}}, {"Y", head(f.Ys)}}});

  // The column sums of 002's and 003's dY, added to what earlier batches have left.
  batch.examples.push_back({"005_bias_grad",
                            {{"rows", T}, {"cols", E}},
                            {{"dY", dY}, {"db_before", {10, 0, -5, 10}}, {"db", {12, 2, -3, 9}}}});
  // The softmax of ln 4, ln 2, 0, 0, and a gradient that arrives at it.
  batch.examples.push_back({"013_softmax_rows_backward",
                            {{"rows", 1}, {"cols", E}},
                            {{"y", {0.5, 0.25, 0.125, 0.125}},
                             {"dy", {1, -1, 2, 0}},
                             {"dx", {0.25, -0.375, 0.1875, -0.0625}}}});
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

double gelu_slope(double x) {
  const double scale = std::sqrt(2 / std::acos(-1.0));
  const double t = std::tanh(scale * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x);
}

void add_pointwise_examples(Batch& batch, const Forward& f, const Backward& b) {
  // What a token's two experts send back to it: the rows of its two slots.
  Values first, second, both;
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t d = 0; d < D; ++d) {
      first.push_back(b.dXs[f.slot_of_pair[t * K] * D + d]);
      second.push_back(b.dXs[f.slot_of_pair[t * K + 1] * D + d]);
      both.push_back(first.back() + second.back());
    }
  }
  batch.examples.push_back(
      {"006_elementwise_add", {{"n", T * D}}, {{"a", first}, {"b", second}, {"out", both}}});

  // Expert 0's rows, its outputs times the gates of their pairs, one gate for all of a row.
  const std::size_t rows = f.counts[0];
  Values outputs, gates, weighted;
  for (std::size_t i = 0; i < rows * D; ++i) {
    outputs.push_back(f.Ys[i]);
    gates.push_back(f.gates[f.pair_of_slot[i / D]]);
    weighted.push_back(outputs.back() * gates.back());
  }
  batch.examples.push_back({"007_elementwise_multiply",
                            {{"n", rows * D}},
                            {{"a", outputs}, {"b", gates}, {"out", weighted}}});

  // Its hidden rows through GELU in ReLU's place, and back.
  Values x, y, dy, dx;
  for (std::size_t i = 0; i < rows * H; ++i) {
    x.push_back(f.Z[i]);
    y.push_back(gelu(x.back()));
    dy.push_back(b.dA[i]);
    dx.push_back(dy.back() * gelu_slope(x.back()));
  }
  batch.examples.push_back({"010_gelu_forward", {{"n", rows * H}}, {{"x", x}, {"y", y}}});
  batch.examples.push_back(
      {"011_gelu_backward", {{"n", rows * H}}, {{"x", x}, {"dy", dy}, {"dx", dx}}});
}

// Each token's probabilities up to a factor, its two largest, and 016's row of three.
void add_gating_examples(Batch& batch) {
  const Values weights = {4, 2, 8, 1, 8, 2, 1, 4, 8, 1, 2, 1};  // 4 exp(logits)
  const Values chosen = {8, 4, 8, 4, 8, 2};
  batch.examples.push_back(
      {"014_topk_rows",
       {{"rows", T}, {"cols", E}, {"k", K}},
       {{"scores", weights}, {"values", chosen}, {"indices", {2, 0, 0, 3, 0, 2}}}});
  batch.examples.push_back({"015_normalize_gates", {{"rows", T}, {"k", K}}, {{"values", chosen}}});
  batch.examples.push_back({"016_normalize_gates_backward",
                            {{"rows", 1}, {"k", 3}},
                            {{"values", {6, 3, 1}}, {"dgates", {1, 2, -1}}}});
}

Batch compute() {
  Params params = initial_params();
  const Forward f = forward(params, tokens);
  Backward b = backward(params, tokens, f);
  const Params next = step(params, b, learning_rate);
  const Forward after = forward(next, tokens);
  const Forward after_small = forward(step(params, b, learning_rate / 10), tokens);
  double norm = 0;
  for (const Values* g : b.grads.all())
    norm += std::inner_product(g->begin(), g->end(), g->begin(), 0.0);

  Batch batch;
  add(batch, "X", {"T", "D"}, tokens);
  add_params(batch, "", "", params);
  add(batch, "target", {"T", "D"}, targets);
  add(batch, "logits", {"T", "E"}, f.logits);
  add(batch, "probs", {"T", "E"}, f.probs);
  add(batch, "experts", {"T", "K"}, f.experts);
  add(batch, "gates", {"T", "K"}, f.gates);
  add(batch, "counts", {"E"}, f.counts);
  add(batch, "offsets", {"E+1"}, f.offsets);
  add(batch, "slot_of_pair", {"P"}, f.slot_of_pair);
  add(batch, "pair_of_slot", {"P"}, f.pair_of_slot);
  add(batch, "Xs", {"P", "D"}, f.Xs);
  add(batch, "Z", {"P", "H"}, f.Z);
  add(batch, "A", {"P", "H"}, f.A);
  add(batch, "Ys_before_bias", {"P", "D"}, f.Ys_before_bias);
  add(batch, "Ys", {"P", "D"}, f.Ys);
  add(batch, "fractions", {"E"}, f.fractions);
  add(batch, "mean_probs", {"E"}, f.mean_probs);
  add(batch, "out", {"T", "D"}, f.out);
  add(batch, "dOut", {"T", "D"}, b.dOut);
  add(batch, "dYs", {"P", "D"}, b.dYs);
  add(batch, "dgates", {"T", "K"}, b.dgates);
  add(batch, "dprobs", {"T", "E"}, b.dprobs_aux);
  add(batch, "dlogits_task", {"T", "E"}, b.dlogits_task);
  add(batch, "dlogits_aux", {"T", "E"}, b.dlogits_aux);
  add(batch, "dlogits", {"T", "E"}, b.dlogits);
  add(batch, "dA", {"P", "H"}, b.dA);
  add(batch, "dZ", {"P", "H"}, b.dZ);
  add(batch, "dXs", {"P", "D"}, b.dXs);
  add(batch, "dX_router", {"T", "D"}, b.dX_router);
  add(batch, "dX", {"T", "D"}, b.dX);
  add_params(batch, "d", "", b.grads);
  add_params(batch, "", "_next", next);
  batch.scalars = {
      {"mse", f.mse},          {"aux", f.aux},          {"squared_gradient_norm", norm},
      {"mse_next", after.mse}, {"aux_next", after.aux}, {"mse_next_with_lr_0.01", after_small.mse}};
  add_examples(batch, f);
  add_pointwise_examples(batch, f, b);
  add_gating_examples(batch);
  return batch;
}

// Fifteen digits, so that the last bit of a sum does not show; what rounding left of a 0 is 0.
std::string number(double v) {
  return std::abs(v) < 1e-15 ? "0" : fmt::format("{:.15g}", v);
}

std::string list(const Values& v, std::size_t first, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += fmt::format("{}{}", i ? ", " : "", number(v[first + i]));
  return out;
}

void print(const Batch& batch) {
  fmt::print("{{\n  \"about\": \"One step of the layer on three tokens, in double precision; ");
  fmt::print(
      "written by tools/figures/micro_batch.cpp. Values are row-major; *_next is after one ");
  fmt::print("update with lr.\",\n");
  fmt::print(
      "  \"config\": {{\"T\": {}, \"D\": {}, \"H\": {}, \"E\": {}, \"K\": {}, \"activation\": "
      "\"relu\", \"aux_alpha\": {}, \"lr\": {}}},\n  \"arrays\": {{\n",
      T, D, H, E, K, alpha, learning_rate);
  for (std::size_t i = 0; i < batch.arrays.size(); ++i) {
    const Array& a = batch.arrays[i];
    std::string axes, shape, rows;
    for (std::size_t x = 0; x < a.axes.size(); ++x) {
      axes += fmt::format("{}\"{}\"", x ? ", " : "", a.axes[x]);
      shape += fmt::format("{}{}", x ? ", " : "", a.shape[x]);
    }
    const std::size_t width = a.shape.back();
    for (std::size_t r = 0; r < a.values.size() / width; ++r)
      rows += fmt::format("{}\n      {}", r ? "," : "", list(a.values, r * width, width));
    fmt::print(
        "    \"{}\": {{\"axes\": [{}], \"shape\": [{}], \"type\": \"{}\", \"values\": [{}]}}{}\n",
        a.name, axes, shape, a.type, rows, i + 1 < batch.arrays.size() ? "," : "");
  }
  fmt::print("  }},\n  \"scalars\": {{\n");
  for (std::size_t i = 0; i < batch.scalars.size(); ++i)
    fmt::print("    \"{}\": {}{}\n", batch.scalars[i].first, number(batch.scalars[i].second),
               i + 1 < batch.scalars.size() ? "," : "");
  fmt::print("  }},\n  \"examples\": {{\n");
  for (std::size_t i = 0; i < batch.examples.size(); ++i) {
    const auto& example = batch.examples[i];
    std::string body;
    for (const auto& [name, size] : example.sizes)
      body +=
          fmt::format("\"{}\": {},{}", name, size, name == example.sizes.back().first ? "" : " ");
    for (std::size_t a = 0; a < example.arrays.size(); ++a) {
      const auto& [name, values] = example.arrays[a];
      body +=
          fmt::format("{}\n      \"{}\": [{}]", a ? "," : "", name, list(values, 0, values.size()));
    }
    fmt::print("    \"{}\": {{{}}}{}\n", example.lesson, body,
               i + 1 < batch.examples.size() ? "," : "");
  }
  fmt::print("  }}\n}}\n");
}

// ---- checks ----

int failures = 0;

void expect(bool ok, const std::string& what) {
  if (ok) return;
  ++failures;
  fmt::print(stderr, "micro_batch: {}\n", what);
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

void compare_with_file(const Batch& batch, const nlohmann::json& file) {
  for (const Array& a : batch.arrays) {
    if (!file.at("arrays").contains(a.name)) {
      expect(false, a.name + " is missing from the file");
      continue;
    }
    const auto& in = file["arrays"][a.name];
    expect(in.at("shape") == nlohmann::json(a.shape), a.name + ": shape differs");
    const Values values = in.at("values").get<Values>();
    expect(values.size() == a.values.size(), a.name + ": number of values differs");
    for (std::size_t i = 0; i < std::min(values.size(), a.values.size()); ++i)
      expect(near(values[i], a.values[i], 1e-12), fmt::format("{}[{}] differs", a.name, i));
  }
  expect(file["arrays"].size() == batch.arrays.size(), "the file holds arrays of another version");
  for (const auto& [name, value] : batch.scalars)
    expect(near(file["scalars"].at(name).get<double>(), value, 1e-12), name + " differs");
  for (const auto& example : batch.examples) {
    const auto& in = file["examples"].at(example.lesson);
    for (const auto& [name, size] : example.sizes)
      expect(in.at(name) == size, example.lesson + ": size " + name + " differs");
    for (const auto& [name, values] : example.arrays) {
      const Values found = in.at(name).get<Values>();
      bool same = found.size() == values.size();
      for (std::size_t i = 0; same && i < values.size(); ++i)
        same = near(found[i], values[i], 1e-12);
      expect(same, example.lesson + ": " + name + " differs");
    }
  }
}

// Central differences of the total loss by every parameter and by X. The choice of experts, hence
// f, must stay as it is within the step.
void compare_with_differences() {
  Params params = initial_params();
  const Forward f = forward(params, tokens);
  Backward b = backward(params, tokens, f);
  const double h = 1e-5;
  const auto check = [&](Values& x, const Values& gradient, const std::string& name, auto&& loss) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double kept = x[i];
      x[i] = kept + h;
      const Forward up = loss();
      x[i] = kept - h;
      const Forward down = loss();
      x[i] = kept;
      expect(up.experts == f.experts && down.experts == f.experts,
             fmt::format("the choice of experts changes with {}[{}]", name, i));
      const double difference = (up.total() - down.total()) / (2 * h);
      expect(near(difference, gradient[i], 1e-8),
             fmt::format("d{}[{}] is {}, its central difference {}", name, i, gradient[i],
                         difference));
    }
  };
  const std::vector<std::string> names = {"Wg", "W1", "b1", "W2", "b2"};
  const auto arrays = params.all();
  const auto gradients = b.grads.all();
  for (std::size_t a = 0; a < arrays.size(); ++a)
    check(*arrays[a], *gradients[a], names[a], [&] { return forward(params, tokens); });
  Values X = tokens;
  check(X, b.dX, "X", [&] { return forward(params, X); });
}

// What lessons and their quizzes quote, to the digits they quote.
void compare_with_notes(const Batch& batch) {
  const auto quote = [&](const std::string& name, const Values& want, double tolerance = 1e-12) {
    for (const Array& a : batch.arrays)
      if (a.name == name) {
        for (std::size_t i = 0; i < want.size(); ++i)
          expect(near(a.values.at(i), want[i], tolerance),
                 fmt::format("{}[{}] is {}, the notes say {}", name, i, a.values[i], want[i]));
        return;
      }
    expect(false, "no array " + name);
  };
  const double six_digits = 5.1e-7;
  quote("probs", {4 / 15., 2 / 15., 8 / 15., 1 / 15., 8 / 15., 2 / 15., 1 / 15., 4 / 15.,  //
                  8 / 12., 1 / 12., 2 / 12., 1 / 12.});
  quote("experts", {2, 0, 0, 3, 0, 2});
  quote("gates", {2 / 3., 1 / 3., 2 / 3., 1 / 3., 4 / 5., 1 / 5.});
  quote("counts", {3, 0, 2, 1});
  quote("offsets", {0, 3, 3, 5, 6});
  quote("slot_of_pair", {3, 0, 1, 5, 2, 4});
  quote("pair_of_slot", {1, 2, 4, 0, 5, 3});
  quote("Ys", {3, 1, 4, 1, 5, 2, 1, 1, -1, 0, -3, 2});
  quote("out", {5 / 3., 1, 5 / 3., 4 / 3., 19 / 5., 8 / 5.});
  quote("dOut", {5 / 9., -1 / 3., -1 / 9., 1 / 9., 4 / 15., -2 / 15.});
  quote("dYs", {5 / 27., -1 / 9.});
  quote("dgates", {2 / 9., 4 / 3., -1 / 3., 5 / 9., 16 / 15., -4 / 15.});
  quote("dlogits_task", {20 / 81., 0, -20 / 81., 0});
  quote("mean_probs", {22 / 45., 7 / 60., 23 / 90., 5 / 36.});
  quote("fractions", {1 / 2., 0, 1 / 3., 1 / 6.});
  quote("dprobs", {1 / 15., 0, 2 / 45., 1 / 45.});
  quote("dlogits_aux", {.006321, -.005728, .000790, -.001383}, six_digits);
  quote("dlogits", {.253235, -.005728, -.246123, -.001383}, six_digits);
  quote("dWg", {.475210, -.010204, -.461000, -.004006, .036296, -.010401, -.214877, .188981},
        six_digits);
  quote("Wg_next", {-.047521}, six_digits);
  const std::map<std::string, std::pair<double, double>> scalars = {
      {"mse", {0.8, 1e-12}},
      {"aux", {.1 * 127 / 90, 1e-12}},
      {"squared_gradient_norm", {4.764999, six_digits}},
      {"mse_next", {.455836, six_digits}},
      {"aux_next", {.140402, six_digits}},
      {"mse_next_with_lr_0.01", {.753748, six_digits}}};
  for (const auto& [name, value] : batch.scalars) {
    const auto& [want, tolerance] = scalars.at(name);
    expect(near(value, want, tolerance),
           fmt::format("{} is {}, the notes say {}", name, value, want));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Batch batch = compute();
  if (argc == 1) {
    print(batch);
    return 0;
  }
  if (argc != 3 || std::string(argv[1]) != "--check") {
    fmt::print(stderr, "usage: micro_batch [--check lessons/micro_batch.json]\n");
    return 2;
  }
  std::ifstream in(argv[2]);
  if (!in) {
    fmt::print(stderr, "micro_batch: cannot read {}\n", argv[2]);
    return 2;
  }
  compare_with_file(batch, nlohmann::json::parse(in));
  compare_with_differences();
  compare_with_notes(batch);
  if (failures == 0) fmt::print("micro-batch: every value checked\n");
  return failures == 0 ? 0 : 1;
}
