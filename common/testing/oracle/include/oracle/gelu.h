// The tanh form of GELU and its derivatives in double precision, far tails included.
#pragma once

namespace oracle {

// With u(x) = sqrt(2/pi) (x + 0.044715 x^3): value x (1 + tanh u) / 2 and what it is made of.
// Every member is finite for |x| <= 1e50.
struct Gelu {
  explicit Gelu(double x);

  double u;
  double du;    // u'(x)
  double tail;  // exp(-2|u|)
  double tanh_u;
  double half_plus;   // (1 + tanh u) / 2, without cancellation
  double sech2;       // 1 - tanh(u)^2, without cancellation
  double value;       // x half_plus
  double slope_tail;  // x sech2 u' / 2
  double slope;       // half_plus + slope_tail, the derivative
};

// Upper bound of |second derivative| of GELU over all x (reached at 0).
inline constexpr double gelu_curvature = 0.8;

}  // namespace oracle
