// Lessons 008 to 011: ReLU and GELU with their derivatives.
#include <algorithm>
#include <cmath>

#include "oracle/building_blocks.h"
#include "oracle/gelu.h"
#include "oracle/rounding.h"
#include "sizes.h"

namespace oracle {

Bounded relu_forward(const Input& x) {
  Bounded out = make_bounded(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Written so that a NaN stays one. Slope at most 1; where x + e <= 0 the result is 0 for sure.
    out.value[i] = x[i] <= 0 ? 0 : x[i];
    out.bound[i] = x[i] <= 0 ? std::max(0.0, x[i] + x.error(i)) : x.error(i);
  }
  return out;
}

Bounded relu_backward(const Input& x, const Input& dy) {
  require_size(dy, x.size(), "dy");
  Bounded out = make_bounded(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool open = x[i] > 0;  // false for a NaN
    out.value[i] = open ? dy[i] : 0;
    // An x whose sign is not certain may select the other branch.
    const bool certain = x.exact() || std::fabs(x[i]) > x.error(i);
    out.bound[i] = certain ? (open ? dy.error(i) : 0) : dy.magnitude(i);
  }
  return out;
}

Gelu::Gelu(double x) {
  const double scale = 0.79788456080286535588;  // sqrt(2 / pi)
  u = scale * x * (1 + 0.044715 * x * x);
  du = scale * (1 + 3 * 0.044715 * x * x);
  tail = std::exp(-2 * std::fabs(u));
  tanh_u = std::copysign((1 - tail) / (1 + tail), u);
  half_plus = u < 0 ? tail / (1 + tail) : 1 / (1 + tail);
  sech2 = 4 * tail / ((1 + tail) * (1 + tail));
  value = x * half_plus;
  slope_tail = 0.5 * x * sech2 * du;
  slope = half_plus + slope_tail;
}

namespace {

// From here on 1 + tanh(u) = 2 and 1 - tanh(u) = 0 in binary32, whatever the form: tanhf returns
// +-1, and the forms with an exponential add a tail below unit / 64 to 1.
bool saturated(const Gelu& g) {
  return g.tail < 0x1p-30;
}

// A tail below the normal range is off by up to (2.5 + 1.173 * 120) tiny (__expf); past exp(-120)
// every form returns 0.
double subnormal_tail(const Gelu& g) {
  return g.tail > std::exp(-120.0) ? 144 * tiny : 0;
}

// Where the exact tail is below 2^-100 (|x| > 9), any value as small is as good: a kernel may hold
// x at 10 so that nothing overflows, and is then right to every digit that a sum could keep.
double held_tail(const Gelu& g) {
  return g.tail < 0x1p-100 ? 0x1p-100 : 0;
}

// Forward, from an exact x. Inside: x/2 times the error of tanh, or of 2 sigmoid(2u) - 1, which is
// no larger; then 1 + t, two products (or sigmoid's own 1 + e and quotient: 1 + 5): 6 unit |y|.
// Saturated on the right: the same roundings, and a lost tail below unit / 64. On the left: tanh
// forms give 0, sigmoid forms y with an error of 2|u| (8 unit) + (2.5 + 2.4 |u|) ulp < 0.01 y.
double gelu_rounding(double x) {
  if (x == 0) return 0;
  const Gelu g(x);
  if (!saturated(g)) {
    return 0.5 * std::fabs(x) * tanh_error(g.u, g.sech2) + 6 * unit * std::fabs(g.value) + 4 * tiny;
  }
  if (x > 0) return 6 * unit * std::fabs(g.value);
  return 1.01 * std::fabs(g.value) + subnormal_tail(g) * std::fabs(x) + held_tail(g);
}

// The slope, from an exact x. Inside: 1 - t^2 from a t that is off by te is off by 2 |t| te + te^2,
// plus unit for the square and unit for the difference, all times |x u'| / 2: near |x| = 5 this is
// the largest part, and no form that starts from t avoids it. u' has 6 roundings, the products 4.
double slope_rounding(double x) {
  const Gelu g(x);
  const double half_plus = g.half_plus, slope_tail = std::fabs(g.slope_tail);
  if (!saturated(g)) {
    const double te = tanh_error(g.u, g.sech2);
    const double square = te * (2 * std::fabs(g.tanh_u) + te) + 2 * unit;
    return 0.5 * te + 0.5 * std::fabs(x) * g.du * square + 14 * unit * slope_tail +
           4 * unit * half_plus;
  }
  if (x > 0) return 1.01 * (g.tail + slope_tail) + 4 * unit;
  return 1.01 * (half_plus + slope_tail) + subnormal_tail(g) * (1 + std::fabs(x) * g.du) +
         held_tail(g);
}

// The rounding at an x that is itself off by e: the largest over the interval, whose ends are the
// extremes of a bound that falls or grows along it.
template <class Rounding>
double over_interval(Rounding rounding, double x, double e) {
  const double here = rounding(x);
  return e == 0 ? here : std::max({here, rounding(x - e), rounding(x + e)});
}

}  // namespace

Bounded gelu_forward(const Input& x) {
  Bounded out = make_bounded(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Gelu g(x[i]);
    const double e = x.error(i);
    out.value[i] = g.value;
    out.bound[i] = over_interval(gelu_rounding, x[i], e) +
                   (std::fabs(g.slope) + 0.5 * gelu_curvature * e) * e;  // Taylor
  }
  return out;
}

Bounded gelu_backward(const Input& x, const Input& dy) {
  require_size(dy, x.size(), "dy");
  Bounded out = make_bounded(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Gelu g(x[i]);
    out.value[i] = dy[i] * g.slope;
    const double slope_error =
        over_interval(slope_rounding, x[i], x.error(i)) + gelu_curvature * x.error(i);
    const double magnitude = dy.magnitude(i);
    if (magnitude == 0) continue;  // 0 times a finite slope
    out.bound[i] = magnitude * (slope_error + 2 * unit * std::fabs(g.slope)) +
                   dy.error(i) * std::fabs(g.slope) + 4 * tiny;
  }
  return out;
}

}  // namespace oracle
