#include "binary32.h"

#include <numeric>

#include "oracle/oracle.h"

namespace oracle_test::binary32 {

namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

// `count` elements from `first`, `stride` apart.
Floats slice(const Floats& array, std::size_t first, std::size_t count, std::size_t stride = 1) {
  Floats out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = array[first + i * stride];
  return out;
}

Floats doubles_to_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// Running maximum and sum of a row, or of a lane's part of it.
struct OnlineSum {
  float max = -INFINITY;
  float sum = 0;

  void merge(Machine& m, const OnlineSum& other) {
    const float top = std::max(max, other.max);
    if (std::isinf(top)) return;
    const float mine = std::isinf(max) ? 0 : sum * m.exp(max - top);
    const float theirs = std::isinf(other.max) ? 0 : other.sum * m.exp(other.max - top);
    max = top;
    sum = mine + theirs;
  }
};

Floats softmax_row(Machine& m, const Floats& x) {
  const float max = *std::max_element(x.begin(), x.end());
  Floats y(x.size());
  float total = 0;
  if (m.style().softmax == Softmax::scaled_first) {
    const float scaled_max = max * log2_e;
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = std::isinf(x[i]) ? 0 : m.exp2(m.multiply_add(x[i], log2_e, -scaled_max));
    }
    total = m.sum(y);
  } else {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = m.exp(x[i] - max);
    if (m.style().softmax == Softmax::two_pass) {
      total = m.sum(y);
    } else {
      const std::size_t width = m.style().order == Order::lanes ? 32 : 1;
      std::vector<OnlineSum> lanes(width);
      for (std::size_t i = 0; i < x.size(); ++i) lanes[i % width].merge(m, {x[i], 1});
      for (std::size_t step = width / 2; step > 0; step /= 2) {
        for (std::size_t i = 0; i < step; ++i) lanes[i].merge(m, lanes[i + step]);
      }
      total = lanes[0].sum;
    }
  }
  for (float& value : y) value = m.divide(value, total);
  return y;
}

}  // namespace

Floats matmul_nn(Machine& m, const Floats& A, const Floats& B, int M, int N, int K) {
  Floats C;
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      C.push_back(m.dot(slice(A, size(i) * size(K), size(K)), slice(B, size(j), size(K), size(N))));
    }
  }
  return C;
}

Floats matmul_nt(Machine& m, const Floats& A, const Floats& B, int M, int N, int K) {
  Floats C;
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      C.push_back(
          m.dot(slice(A, size(i) * size(K), size(K)), slice(B, size(j) * size(K), size(K))));
    }
  }
  return C;
}

Floats matmul_tn(Machine& m, const Floats& A, const Floats& B, Floats C, int M, int N, int K) {
  if (K == 0) return C;
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float& c = C[size(i) * size(N) + size(j)];
      c = m.dot(slice(A, size(i), size(K), size(M)), slice(B, size(j), size(K), size(N)), true, c);
    }
  }
  return C;
}

Floats column_sums(Machine& m, const Floats& rows, Floats start, int cols) {
  for (std::size_t c = 0; c < size(cols); ++c) {
    Floats terms = slice(rows, c, rows.size() / size(cols), size(cols));
    terms.insert(terms.begin(), start[c]);
    start[c] = m.sum(std::move(terms));
  }
  return start;
}

float gelu(Machine& m, float x) {
  const float scale = 0.7978845608F;
  const float u = scale * m.multiply_add(0.044715F * x * x, x, x);
  if (m.style().tanh == Tanh::sigmoid) return m.divide(x, 1 + m.exp(-2 * u));
  return 0.5F * x * (1 + m.tanh(u));
}

float gelu_slope(Machine& m, float x) {
  const float scale = 0.7978845608F;
  const float u = scale * x * m.multiply_add(0.044715F * x, x, 1);
  const float du = scale * m.multiply_add(3 * 0.044715F * x, x, 1);
  if (m.style().tanh == Tanh::sigmoid) {
    const float s = m.divide(1, 1 + m.exp(-2 * u));
    return s + 2 * x * s * (1 - s) * du;
  }
  const float t = m.tanh(u);
  return 0.5F * (1 + t) + 0.5F * x * m.multiply_add(-t, t, 1) * du;
}

Floats softmax_rows(Machine& m, const Floats& x, int rows, int cols) {
  Floats out;
  for (int r = 0; r < rows; ++r) {
    const Floats y = softmax_row(m, slice(x, size(r) * size(cols), size(cols)));
    out.insert(out.end(), y.begin(), y.end());
  }
  return out;
}

Floats softmax_rows_backward(Machine& m, const Floats& y, const Floats& dy, int rows, int cols) {
  Floats out;
  for (int r = 0; r < rows; ++r) {
    const Floats yr = slice(y, size(r) * size(cols), size(cols));
    const Floats dyr = slice(dy, size(r) * size(cols), size(cols));
    const float dot = m.dot(yr, dyr);
    for (std::size_t i = 0; i < yr.size(); ++i) {
      // One kernel in two multiplies out.
      out.push_back(m.style().order == Order::backward ? yr[i] * dyr[i] - yr[i] * dot
                                                       : yr[i] * (dyr[i] - dot));
    }
  }
  return out;
}

Floats normalize_gates(Machine& m, const Floats& values, int rows, int k) {
  Floats out;
  for (int r = 0; r < rows; ++r) {
    const Floats v = slice(values, size(r) * size(k), size(k));
    const float s = m.sum(v);
    for (const float value : v) out.push_back(m.divide(value, s));
  }
  return out;
}

Floats normalize_gates_backward(Machine& m, const Floats& values, const Floats& dgates, int rows,
                                int k) {
  Floats out;
  for (int r = 0; r < rows; ++r) {
    const Floats v = slice(values, size(r) * size(k), size(k));
    const Floats dg = slice(dgates, size(r) * size(k), size(k));
    const float s = m.sum(v);
    Floats g;
    for (const float value : v) g.push_back(m.divide(value, s));
    const float dot = m.style().order == Order::lanes ? m.divide(m.dot(v, dg), s) : m.dot(g, dg);
    for (const float d : dg) {
      out.push_back(m.style().order == Order::backward ? m.divide(d, s) - m.divide(dot, s)
                                                       : m.divide(d - dot, s));
    }
  }
  return out;
}

Floats combine_tokens(Machine& m, const Floats& Ys, const Ints& slot_of_pair, const Floats& gates,
                      int T, int D, int K) {
  Floats out;
  for (std::size_t i = 0; i < size(T) * size(D); ++i) {
    Floats y;
    for (std::size_t j = 0; j < size(K); ++j) {
      const std::size_t slot = size(slot_of_pair[i / size(D) * size(K) + j]);
      y.push_back(Ys[slot * size(D) + i % size(D)]);
    }
    out.push_back(m.dot(slice(gates, i / size(D) * size(K), size(K)), y));
  }
  return out;
}

Floats combine_backward_gates(Machine& m, const Floats& dOut, const Floats& Ys,
                              const Ints& slot_of_pair, int T, int D, int K) {
  Floats out;
  for (std::size_t p = 0; p < size(T) * size(K); ++p) {
    out.push_back(m.dot(slice(dOut, p / size(K) * size(D), size(D)),
                        slice(Ys, size(slot_of_pair[p]) * size(D), size(D))));
  }
  return out;
}

Floats mean_probs(Machine& m, const Floats& probs, int T, int E) {
  Floats out(size(E));
  if (T == 0) return out;
  for (std::size_t e = 0; e < size(E); ++e) {
    Floats column = slice(probs, e, size(T), size(E));
    if (m.style().order == Order::backward) {  // each term scaled
      for (float& p : column) p *= m.divide(1, static_cast<float>(T));
      out[e] = m.sum(column);
    } else {
      out[e] = m.divide(m.sum(column), static_cast<float>(T));
    }
  }
  return out;
}

float aux_loss(Machine& m, const Floats& fractions, const Floats& means, float alpha) {
  const float scale = alpha * static_cast<float>(fractions.size());
  if (m.style().order == Order::backward) {
    Floats scaled = fractions;
    for (float& f : scaled) f *= scale;
    return m.dot(scaled, means);
  }
  return scale * m.dot(fractions, means);
}

float mse_loss(Machine& m, const Floats& y, const Floats& target) {
  if (y.empty()) return 0;
  Floats d(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) d[i] = y[i] - target[i];
  return m.divide(m.dot(d, d), static_cast<float>(y.size()));
}

Floats mse_loss_backward(Machine& m, const Floats& y, const Floats& target) {
  Floats out(y.size());
  const float n = static_cast<float>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    out[i] = m.style().order == Order::forward ? m.divide(2 * (y[i] - target[i]), n)
                                               : m.divide(2, n) * (y[i] - target[i]);
  }
  return out;
}

Floats sgd_update(Machine& m, const Floats& w, const Floats& g, float lr) {
  Floats out(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) out[i] = m.multiply_add(-lr, g[i], w[i]);
  return out;
}

Floats activation(Machine& m, const Floats& Z, Activation act) {
  Floats A(Z.size());
  for (std::size_t i = 0; i < Z.size(); ++i) {
    A[i] = act == Activation::relu ? std::max(Z[i], 0.0F) : gelu(m, Z[i]);
  }
  return A;
}

Floats activation_grad(Machine& m, const Floats& Z, const Floats& dA, Activation act) {
  Floats dZ(Z.size());
  for (std::size_t i = 0; i < Z.size(); ++i) {
    if (act == Activation::relu) {
      dZ[i] = Z[i] > 0 ? dA[i] : 0;
    } else {
      dZ[i] = dA[i] * gelu_slope(m, Z[i]);
    }
  }
  return dZ;
}

RouterBackward router_backward(Machine& m, const Floats& X, const Floats& Wg, const Floats& probs,
                               const Ints& experts, const Floats& dgates, const Floats& dprobs_aux,
                               const Floats& dWg0, int T, int D, int E, int K) {
  Floats chosen;
  for (std::size_t p = 0; p < experts.size(); ++p) {
    chosen.push_back(probs[p / size(K) * size(E) + size(experts[p])]);
  }
  const Floats dchosen = normalize_gates_backward(m, chosen, dgates, T, K);
  Floats dprobs = dprobs_aux.empty() ? Floats(probs.size()) : dprobs_aux;
  for (std::size_t p = 0; p < experts.size(); ++p) {
    dprobs[p / size(K) * size(E) + size(experts[p])] += dchosen[p];
  }
  RouterBackward out;
  out.dlogits = softmax_rows_backward(m, probs, dprobs, T, E);
  out.dWg = matmul_tn(m, X, out.dlogits, dWg0, D, E, T);
  out.dX = matmul_nt(m, out.dlogits, Wg, T, D, E);
  return out;
}

Layer forward(Machine& m, const MoeConfig& config, const Params& params, const Floats& X,
              Mistake mistake) {
  const int T = config.T, D = config.D, H = config.H, E = config.E, K = config.K;
  const Activation act = config.activation;
  const float alpha = config.aux_alpha;
  Layer f;
  f.logits = matmul_nn(m, X, params.Wg, T, E, D);
  f.probs = softmax_rows(m, f.logits, T, E);
  const oracle::TopK top = oracle::topk_rows(f.probs, T, E, K);
  f.experts = top.indices;
  const Floats values = doubles_to_floats(top.values);
  f.gates = mistake == Mistake::no_renormalization ? values : normalize_gates(m, values, T, K);
  f.counts = oracle::count_tokens(f.experts, E);
  f.offsets = oracle::expert_offsets(f.counts);
  const oracle::Slots slots = oracle::assign_slots(f.experts, f.offsets);
  f.slot_of_pair = slots.slot_of_pair;
  f.pair_of_slot = slots.pair_of_slot;
  for (const int p : f.pair_of_slot) {
    for (std::size_t d = 0; d < size(D); ++d) f.Xs.push_back(X[size(p / K) * size(D) + d]);
  }
  Floats input = f.Xs;
  if (mistake == Mistake::gate_on_input) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] *= f.gates[size(f.pair_of_slot[i / size(D)])];
    }
  }
  const auto linear = [&](const Floats& rows, const Floats& W, const Floats& b, int in, int out) {
    Floats result;
    for (std::size_t e = 0; e < size(E); ++e) {
      const std::size_t first = size(f.offsets[e]), count = size(f.counts[e]);
      Floats y =
          matmul_nn(m, slice(rows, first * size(in), count * size(in)),
                    slice(W, e * size(in) * size(out), size(in) * size(out)), f.counts[e], out, in);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += b[e * size(out) + i % size(out)];
      result.insert(result.end(), y.begin(), y.end());
    }
    return result;
  };
  f.Z = linear(input, params.W1, params.b1, D, H);
  f.A = activation(m, f.Z, act);
  if (mistake == Mistake::gelu_by_erf) {
    for (std::size_t i = 0; i < f.Z.size(); ++i) {
      f.A[i] = 0.5F * f.Z[i] * (1 + std::erf(f.Z[i] * 0.70710678F));
    }
  }
  f.Ys = linear(f.A, params.W2, params.b2, H, D);
  const Floats weights = mistake == Mistake::gate_on_input ? Floats(f.gates.size(), 1) : f.gates;
  f.out = combine_tokens(m, f.Ys, f.slot_of_pair, weights, T, D, K);
  for (const int count : f.counts) {
    f.fractions.push_back(T == 0 ? 0
                                 : m.divide(static_cast<float>(count), static_cast<float>(T * K)));
  }
  f.mean_probs = mean_probs(m, f.probs, T, E);
  f.aux = aux_loss(m, f.fractions, f.mean_probs, alpha);
  return f;
}

void backward(Machine& m, const MoeConfig& config, const Params& params, const Floats& X,
              const Floats& target, Layer& f, Mistake mistake) {
  const int T = config.T, D = config.D, H = config.H, E = config.E, K = config.K;
  const Activation act = config.activation;
  const float alpha = config.aux_alpha;
  f.mse = mse_loss(m, f.out, target);
  f.dOut = mse_loss_backward(m, f.out, target);
  for (std::size_t s = 0; s < f.pair_of_slot.size(); ++s) {
    const std::size_t p = size(f.pair_of_slot[s]);
    for (std::size_t d = 0; d < size(D); ++d) {
      f.dYs.push_back(f.gates[p] * f.dOut[p / size(K) * size(D) + d]);
    }
  }
  f.dgates = combine_backward_gates(m, f.dOut, f.Ys, f.slot_of_pair, T, D, K);
  const auto each_expert = [&](auto work) {
    for (std::size_t e = 0; e < size(E); ++e) work(e, size(f.offsets[e]), f.counts[e]);
  };
  const auto append = [](Floats& to, const Floats& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  each_expert([&](std::size_t e, std::size_t first, int count) {
    const std::size_t weights = size(D) * size(H);
    const Floats dYs = slice(f.dYs, first * size(D), size(count) * size(D));
    const Floats A = slice(f.A, first * size(H), size(count) * size(H));
    const Floats Z = slice(f.Z, first * size(H), size(count) * size(H));
    const Floats Xs = slice(f.Xs, first * size(D), size(count) * size(D));
    append(f.grads.b2, column_sums(m, dYs, Floats(size(D)), D));
    append(f.grads.W2, matmul_tn(m, A, dYs, Floats(weights), H, D, count));
    const Floats dA = matmul_nt(m, dYs, slice(params.W2, e * weights, weights), count, H, D);
    const Floats dZ = activation_grad(m, Z, dA, act);
    append(f.dA, dA);
    append(f.dZ, dZ);
    append(f.grads.W1, matmul_tn(m, Xs, dZ, Floats(weights), D, H, count));
    append(f.grads.b1, column_sums(m, dZ, Floats(size(H)), H));
    append(f.dXs, matmul_nt(m, dZ, slice(params.W1, e * weights, weights), count, D, H));
  });
  Floats aux;
  for (std::size_t i = 0; i < f.probs.size(); ++i) {
    aux.push_back(mistake == Mistake::no_auxiliary_grad
                      ? 0
                      : m.divide(alpha * static_cast<float>(E) * f.fractions[i % size(E)],
                                 static_cast<float>(T)));
  }
  f.router = router_backward(m, X, params.Wg, f.probs, f.experts, f.dgates, aux,
                             Floats(size(D) * size(E)), T, D, E, K);
  f.grads.Wg = f.router.dWg;
  for (std::size_t i = 0; i < size(T) * size(D); ++i) {
    Floats terms;
    for (std::size_t j = 0; j < size(K); ++j) {
      const std::size_t slot = size(f.slot_of_pair[i / size(D) * size(K) + j]);
      terms.push_back(f.dXs[slot * size(D) + i % size(D)]);
    }
    const float dispatch = m.sum(std::move(terms));
    f.dX.push_back(mistake == Mistake::dispatch_path_only ? dispatch : dispatch + f.router.dX[i]);
  }
}

Params update(Machine& m, const Params& p, const Params& g, float lr) {
  return {sgd_update(m, p.Wg, g.Wg, lr), sgd_update(m, p.W1, g.W1, lr),
          sgd_update(m, p.b1, g.b1, lr), sgd_update(m, p.W2, g.W2, lr),
          sgd_update(m, p.b2, g.b2, lr)};
}

}  // namespace oracle_test::binary32
