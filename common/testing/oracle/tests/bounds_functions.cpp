// GELU and softmax, and what is built on softmax: right kernels with the largest errors that the
// functions may have are within the bounds, the usual mistakes are not.
#include <functional>
#include <limits>

#include "binary32.h"
#include "oracle/oracle.h"
#include "verdicts.h"

namespace oracle_test {
namespace {

namespace b32 = binary32;
constexpr float infinity = std::numeric_limits<float>::infinity();

Floats map(const Floats& x, const std::function<float(float)>& f) {
  Floats out;
  for (const float value : x) out.push_back(f(value));
  return out;
}

Floats gelu_inputs(Draw& draw) {
  Floats x;
  for (int i = 0; i < 400; ++i) x.push_back(draw.uniform(-8, 8));
  for (int i = 0; i < 100; ++i) x.push_back(draw.uniform(-20, 20));
  for (int i = 0; i < 100; ++i) {
    x.push_back(std::ldexp(draw.uniform(-2, 2), draw.integer(-149, 12)));
  }
  x.insert(x.end(), {0, -0.0F, 1e4F, -1e4F, 20, -20, 5.39F, -5.39F, 5.4F, -5.4F});
  return x;
}

// tanh.approx: 2^-11 relative by its specification, but 1.1e-5 at most on an H200; here with a sign
// and size that vary with v.
float tanh_approximate(float v) {
  return std::tanh(v) * (1 + 1.1e-5F * std::sin(1e3F * v));
}
float gelu_with(float x, float (*tanh)(float)) {
  return 0.5F * x * (1 + tanh(0.7978845608F * (x + 0.044715F * x * x * x)));
}

TEST_SUITE("bounds of functions") {
  TEST_CASE("010 and 011: right kernels by every form of tanh") {
    Draw draw(11);
    Verdicts forward, backward;
    for (const Style& style : tanh_styles()) {
      Machine m(style);
      for (int repeat = 0; repeat < 8; ++repeat) {
        const Floats x = gelu_inputs(draw);
        Floats far = x;
        far.insert(far.end(), {1e10F, -1e10F, 1e20F, -1e20F});
        forward.add(oracle::gelu_forward(far), map(far, [&](float v) { return b32::gelu(m, v); }));
        const Floats dy = draw.normals(static_cast<int>(x.size()));
        Floats dx;
        for (std::size_t i = 0; i < x.size(); ++i) dx.push_back(dy[i] * b32::gelu_slope(m, x[i]));
        backward.add(oracle::gelu_backward(x, dy), dx);
      }
    }
    check_right(forward, "GELU");
    check_right(backward, "GELU backward");
  }

  TEST_CASE("010 and 011: mistakes") {
    Draw draw(12);
    Verdicts approximate, erf, half, tail, slope_no_tail, slope_of_erf, slope_approximate, slope_du;
    for (int repeat = 0; repeat < 200; ++repeat) {
      const Floats x = draw.normals(64), dy = draw.normals(64);
      const oracle::Bounded y = oracle::gelu_forward(x), dx = oracle::gelu_backward(x, dy);
      approximate.add(y, map(x, [](float v) { return gelu_with(v, tanh_approximate); }));
      erf.add(y, map(x, [](float v) { return 0.5F * v * (1 + std::erf(v * 0.70710678F)); }));
      half.add(y, map(x, [](float v) {
                 return round_to_bits(gelu_with(v, [](float u) { return std::tanh(u); }), 11);
               }));
      tail.add(oracle::gelu_forward(Floats{-30}),
               -30);  // tanh by (e - 1) / (e + 1) of the wrong sign
      Floats no_tail, of_erf, approx, no_du;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const oracle::Gelu g(x[i]);
        const double z = x[i], phi = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
        no_tail.push_back(static_cast<float>(dy[i] * g.half_plus));
        of_erf.push_back(
            static_cast<float>(dy[i] * (0.5 * (1 + std::erf(z / std::sqrt(2.0))) + z * phi)));
        const double t = tanh_approximate(static_cast<float>(g.u));
        approx.push_back(
            static_cast<float>(dy[i] * (0.5 * (1 + t) + 0.5 * z * (1 - t * t) * g.du)));
        no_du.push_back(static_cast<float>(
            dy[i] * (g.half_plus + 0.5 * z * g.sech2 * std::sqrt(2 / std::acos(-1.0)))));
      }
      slope_no_tail.add(dx, no_tail);
      slope_of_erf.add(dx, of_erf);
      slope_approximate.add(dx, approx);
      slope_du.add(dx, no_du);
    }
    check_wrong(approximate, "tanh.approx");
    check_wrong(erf, "erf form");
    check_wrong(half, "half precision");
    check_wrong(tail, "wrong tail");
    check_wrong(slope_no_tail, "product rule forgotten");
    check_wrong(slope_of_erf, "slope of the erf form");
    check_wrong(slope_approximate, "slope with tanh.approx");
    check_wrong(slope_du, "u' without its square");
  }

  TEST_CASE("010 and 011: far tails hold exactly what is due") {
    const oracle::Bounded y = oracle::gelu_forward(Floats{-1e20F, 1e20F, -30, 0});
    CHECK(y.accepts(0, -0.0));
    CHECK(!y.accepts(0, -1e12));
    CHECK(!y.accepts(0, NAN));
    CHECK(y.accepts(1, 1e20F));
    CHECK(!y.accepts(1, infinity));
    CHECK(!y.accepts(2, -1e-7));
    CHECK(y.accepts(3, 0));
    CHECK(!y.accepts(3, 1e-45));
    const oracle::Bounded dx = oracle::gelu_backward(Floats{-1e4F, 1e4F}, Floats{2, 2});
    CHECK(dx.accepts(0, 0));
    CHECK(!dx.accepts(0, NAN));
    CHECK(dx.accepts(1, 2));
    CHECK(!dx.accepts(1, 2.00001));
  }

  TEST_CASE("012 and 018: right kernels by every form") {
    Draw draw(13);
    Verdicts verdicts;
    for (const Style& style : softmax_styles()) {
      Machine m(style);
      for (const int cols : {1, 2, 3, 17, 32, 33, 100}) {
        for (const float spread : {.1F, 1.F, 10.F, 40.F}) {
          Floats x = draw.normals(2 * cols, spread);
          for (float& v : x) v += std::round(10 * spread);
          verdicts.add(oracle::softmax_rows(x, 2, cols), b32::softmax_rows(m, x, 2, cols));
        }
        // Ascending: an online maximum grows at every step. Descending, equal, far off, masked.
        Floats up, down, equal(static_cast<std::size_t>(cols), 3.F), masked, wide;
        for (int i = 0; i < cols; ++i) {
          up.push_back(.37F * static_cast<float>(i));
          down.push_back(-.37F * static_cast<float>(i));
          masked.push_back(i % 3 == 1 ? -infinity : draw.normal());
          wide.push_back(draw.uniform(-1e3F, 1e3F));
        }
        for (const Floats& x : {up, down, equal, masked, wide}) {
          verdicts.add(oracle::softmax_rows(x, 1, cols), b32::softmax_rows(m, x, 1, cols));
        }
      }
    }
    check_right(verdicts, "softmax");
  }

  TEST_CASE("012: large logits, which only a kernel that subtracts first gets right") {
    Draw draw(14);
    Verdicts verdicts;
    for (const Style& style : softmax_styles()) {
      if (style.softmax == Softmax::scaled_first) continue;
      Machine m(style);
      for (const float size : {1e5F, 1e10F, 1e30F, 3e38F}) {
        Floats x{size, -size, size, std::nextafter(size, 0.0F), -infinity, 0};
        verdicts.add(oracle::softmax_rows(x, 1, 6), b32::softmax_rows(m, x, 1, 6));
      }
    }
    check_right(verdicts, "softmax of large logits");
  }

  TEST_CASE("012: mistakes") {
    Draw draw(15);
    Verdicts no_max, missing, half, tf32, flushed;
    for (int repeat = 0; repeat < 300; ++repeat) {
      const int cols = draw.integer(2, 100);
      const std::size_t n = static_cast<std::size_t>(cols);
      Machine m({});
      const Floats x = draw.normals(cols, 1);
      const oracle::Bounded want = oracle::softmax_rows(x, 1, cols);
      Floats shifted = x;
      for (float& v : shifted) v += 100;
      Floats exponentials = map(shifted, [](float v) { return std::exp(v); });
      const float total = m.sum(exponentials);
      no_max.add(oracle::softmax_rows(shifted, 1, cols),
                 map(exponentials, [&](float e) { return e / total; }));
      Floats shorter = b32::softmax_rows(m, {x.begin(), x.end() - 1}, 1, cols - 1);
      shorter.push_back(static_cast<float>(want.value[n - 1]));  // right but for the sum
      missing.add(want, shorter);
      const Floats y = b32::softmax_rows(m, x, 1, cols);
      half.add(want, map(y, [](float v) { return round_to_bits(v, 11); }));
      tf32.add(want,
               b32::softmax_rows(m, map(x, [](float v) { return round_to_bits(v, 11); }), 1, cols));
      // One entry whose weight is denormal.
      Floats low = x;
      low[0] = *std::max_element(x.begin(), x.end()) - 90;
      Floats flush = b32::softmax_rows(m, low, 1, cols);
      flush[0] = 0;
      if (cols < 30) flushed.add(oracle::softmax_rows(low, 1, cols), flush);
    }
    check_wrong(no_max, "no maximum subtracted");
    check_wrong(missing, "last entry missing in the sum");
    check_wrong(half, "half precision");
    check_wrong(tf32, "logits rounded to TF32");
    check_wrong(flushed, "denormal weights flushed");
  }

  TEST_CASE("013: right kernels and mistakes") {
    Draw draw(16);
    Verdicts right, no_dot, no_y, partial, half;
    for (const Style& style : product_styles()) {
      Machine m(style);
      for (const int cols : {1, 2, 3, 17, 33, 200}) {
        for (int repeat = 0; repeat < 6; ++repeat) {
          const std::size_t n = static_cast<std::size_t>(cols);
          const Floats y =
              b32::softmax_rows(m, draw.normals(cols, repeat < 3 ? 1.F : 20.F), 1, cols);
          Floats dy = draw.normals(cols);
          if (repeat % 3 == 1) {
            for (float& v : dy) v += 1000;  // dy - dot cancels
          }
          const oracle::Bounded want = oracle::softmax_rows_backward(y, dy, 1, cols);
          right.add(want, b32::softmax_rows_backward(m, y, dy, 1, cols));
          if (cols < 2 || repeat > 0) continue;
          float dot = 0, cut = 0;
          for (std::size_t i = 0; i < n; ++i) dot += y[i] * dy[i];
          for (std::size_t i = 0; i + 1 < n; ++i) cut += y[i] * dy[i];
          Floats a, b, c, d;
          for (std::size_t i = 0; i < n; ++i) {
            a.push_back(y[i] * dy[i]);
            b.push_back(dy[i] - dot);
            c.push_back(y[i] * (dy[i] - cut));
            d.push_back(round_to_bits(y[i] * (dy[i] - dot), 11));
          }
          no_dot.add(want, a);
          no_y.add(want, b);
          partial.add(want, c);
          half.add(want, d);
        }
      }
    }
    check_right(right, "softmax backward");
    check_wrong(no_dot, "dot product forgotten");
    check_wrong(no_y, "factor y forgotten");
    check_wrong(partial, "last term of the dot product missing", .98);
    check_wrong(half, "half precision");
  }

  TEST_CASE("015, 016 and 019: gates and their gradient, sums that nearly cancel included") {
    Draw draw(17);
    Verdicts gates, gradients, no_dot, halved, unnormalized;
    for (const Style& style : mixed_styles(200, 18)) {
      Machine m(style);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const int k = draw.integer(1, 16);
        Floats v, dg = draw.normals(k);
        float sum = 0, magnitude = 0;
        do {
          v = repeat % 2 == 0 ? map(draw.normals(k), [](float x) { return std::fabs(x) + 1e-3F; })
                              : draw.normals(k);
          sum = magnitude = 0;
          for (const float x : v) sum += x, magnitude += std::fabs(x);
        } while (magnitude > 15 * sum);
        if (repeat % 5 == 4) {
          for (float& x : v) x = std::ldexp(x, -55);
        }
        const oracle::Bounded g = oracle::normalize_gates(v, 1, k);
        const oracle::Bounded dv = oracle::normalize_gates_backward(v, dg, 1, k);
        gates.add(g, b32::normalize_gates(m, v, 1, k));
        gradients.add(dv, b32::normalize_gates_backward(m, v, dg, 1, k));
        if (k == 1) continue;
        no_dot.add(dv, map(dg, [&](float x) { return x / sum; }));
        halved.add(g, map(v, [&](float x) { return round_to_bits(x / sum, 11); }));
        unnormalized.add(g, v);
      }
    }
    check_right(gates, "gates");
    check_right(gradients, "gate gradients");
    check_wrong(no_dot, "dot product forgotten");
    check_wrong(halved, "half precision", .95);  // where sum |v| = 16 sum v the bound is wide
    check_wrong(unnormalized, "not normalised");
  }

  TEST_CASE("020: right kernels and mistakes, from the inputs to the end") {
    Draw draw(19);
    Verdicts right, no_aux, no_gates;
    for (const Style& style : mixed_styles(150, 20)) {
      Machine m(style);
      for (int repeat = 0; repeat < 6; ++repeat) {
        const int T = draw.integer(1, 6), D = draw.integer(1, 9), E = draw.integer(2, 12);
        const int K = draw.integer(1, std::min(E, 4));
        const Floats X = draw.normals(T * D), Wg = draw.normals(D * E), dg = draw.normals(T * K);
        const Floats probs =
            b32::softmax_rows(m, draw.normals(T * E, repeat == 5 ? 15.F : 1.F), T, E);
        const Ints experts = oracle::topk_rows(probs, T, E, K).indices;
        const Floats aux = repeat % 3 == 0 ? Floats{} : draw.normals(T * E, .1F);
        const Floats dWg0 = draw.normals(D * E);
        const oracle::RouterBackward want =
            oracle::router_backward(X, Wg, probs, experts, dg, aux, dWg0, T, D, E, K);
        const b32::RouterBackward got =
            b32::router_backward(m, X, Wg, probs, experts, dg, aux, dWg0, T, D, E, K);
        right.add(want.dlogits, got.dlogits);
        right.add(want.dWg, got.dWg);
        right.add(want.dX, got.dX);
        if (!aux.empty()) {
          no_aux.add(
              want.dlogits,
              b32::router_backward(m, X, Wg, probs, experts, dg, {}, dWg0, T, D, E, K).dlogits);
        }
        if (K == 1 || K == E || repeat == 5)
          continue;  // K = E: the same, as softmax ignores shifts
        // Without 016: the gates' gradient scattered as it is.
        Floats dprobs = aux.empty() ? Floats(probs.size()) : aux;
        for (std::size_t p = 0; p < experts.size(); ++p) {
          dprobs[p / static_cast<std::size_t>(K) * static_cast<std::size_t>(E) +
                 static_cast<std::size_t>(experts[p])] += dg[p];
        }
        no_gates.add(want.dlogits, b32::softmax_rows_backward(m, probs, dprobs, T, E));
      }
    }
    check_right(right, "router backward");
    check_wrong(no_aux, "auxiliary gradient forgotten");
    check_wrong(no_gates, "gates not differentiated");
  }

  TEST_CASE("041 to 048: right kernels and mistakes") {
    Draw draw(21);
    Verdicts fractions, means, loss, dprobs, mse, dy, sgd;
    Verdicts no_E, by_T, sum_not_mean, missing, no_two, no_n, plus, tf32;
    for (const Style& style : mixed_styles(100, 22)) {
      Machine m(style);
      for (int repeat = 0; repeat < 6; ++repeat) {
        const int T = draw.integer(1, 300), E = draw.integer(1, 64),
                  K = draw.integer(1, std::min(E, 4));
        const Floats probs = b32::softmax_rows(m, draw.normals(T * E), T, E);
        const Ints counts = oracle::count_tokens(oracle::topk_rows(probs, T, E, K).indices, E);
        const float alpha = draw.uniform(.001F, 1);
        const oracle::Bounded f = oracle::dispatch_fractions(counts, T * K);
        Floats got_f, got_d;
        for (const int count : counts) {
          got_f.push_back(m.divide(static_cast<float>(count), static_cast<float>(T * K)));
        }
        fractions.add(f, got_f);
        means.add(oracle::mean_probs(probs, T, E), b32::mean_probs(m, probs, T, E));
        const Floats P = b32::mean_probs(m, probs, T, E);
        const oracle::Bounded want = oracle::aux_loss(got_f, P, alpha);
        const float got = b32::aux_loss(m, got_f, P, alpha);
        loss.add(want, got);
        if (E > 1) no_E.add(want, got / static_cast<float>(E));
        for (int i = 0; i < T * E; ++i) {
          got_d.push_back(alpha * static_cast<float>(E) *
                          m.divide(got_f[static_cast<std::size_t>(i % E)], static_cast<float>(T)));
        }
        dprobs.add(oracle::aux_loss_backward(got_f, T, alpha), got_d);
        if (T > 1) {
          by_T.add(oracle::aux_loss_backward(got_f, T, alpha),
                   map(got_d, [&](float x) { return x * static_cast<float>(T); }));
        }
        const int n = draw.integer(1, 3000);
        const Floats y = draw.normals(n), target = draw.normals(n);
        const oracle::Bounded want_mse = oracle::mse_loss(y, target);
        mse.add(want_mse, b32::mse_loss(m, y, target));
        const oracle::Bounded want_dy = oracle::mse_loss_backward(y, target);
        dy.add(want_dy, b32::mse_loss_backward(m, y, target));
        if (n > 1) {
          sum_not_mean.add(want_mse, b32::mse_loss(m, y, target) * static_cast<float>(n));
          no_n.add(want_dy, map(b32::mse_loss_backward(m, y, target),
                                [&](float x) { return x * static_cast<float>(n); }));
        }
        no_two.add(want_dy,
                   map(b32::mse_loss_backward(m, y, target), [](float x) { return x / 2; }));
        if (n > 1 && n < 500) {
          Floats cut = y;
          cut.back() = target.back() + 0;
          if (std::fabs(y.back() - target.back()) > .5F)
            missing.add(want_mse, b32::mse_loss(m, cut, target));
        }
        const float lr = draw.uniform(.001F, 1);
        const oracle::Bounded want_w = oracle::sgd_update(y, target, lr);
        sgd.add(want_w, b32::sgd_update(m, y, target, lr));
        plus.add(want_w, b32::sgd_update(m, y, target, -lr));
        Floats rounded;
        for (std::size_t i = 0; i < y.size(); ++i) {
          rounded.push_back(y[i] - round_to_bits(lr * target[i], 11));
        }
        if (n > 20) tf32.add(want_w, rounded);
      }
    }
    check_right(fractions, "fractions");
    check_right(means, "mean probabilities");
    check_right(loss, "auxiliary loss");
    check_right(dprobs, "auxiliary gradient");
    check_right(mse, "mean squared error");
    check_right(dy, "its gradient");
    check_right(sgd, "update");
    check_wrong(no_E, "factor E forgotten");
    check_wrong(by_T, "not divided by T");
    check_wrong(sum_not_mean, "sum, not mean");
    check_wrong(missing, "last difference missing");
    check_wrong(no_two, "factor 2 forgotten");
    check_wrong(no_n, "not divided by n");
    check_wrong(plus, "step uphill");
    check_wrong(tf32, "step in half precision");
  }
}

}  // namespace
}  // namespace oracle_test
