// What an element should be: a value in double precision and how far a correct kernel may be off.
#pragma once

#include <type_traits>

#include "testing/bounds.h"

namespace testing {

// A plain number converts to an exact expectation: a copy, a count, a zero. -0 equals +0, and NaN
// expects NaN.
struct Expected {
  double value = 0;
  double bound = 0;
  bool never_written = false;  // in a mistake's output: the element keeps the fill

  constexpr Expected() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr Expected(Number exact) : value(static_cast<double>(exact)) {}
  constexpr Expected(double within_value, double within_bound)
      : value(within_value), bound(within_bound) {}

  static constexpr Expected unwritten() {
    Expected result;
    result.never_written = true;
    return result;
  }

  // In a mistake's output: made from a local float that was never set. The CPU backend's compiler
  // fills such variables with this pattern.
  static constexpr Expected unset_local() { return {-0x1.fdfdfcp+126, 0x1p+110}; }

  // True if a kernel may return `got`; false for a NaN that is not expected.
  bool admits(double got) const;
};

// A sum of products of floats, with the bound that follows for every order of summation:
//   Sum dot;
//   for (int k = 0; k < K; ++k) dot += A(m, k) * B(k, n);
// A product of two floats is exact in double precision.
class Sum {
 public:
  constexpr Sum() = default;
  constexpr explicit Sum(double first) { *this += first; }

  constexpr Sum& operator+=(double term) {
    value_ += term;
    magnitude_ += term < 0 ? -term : term;
    terms_ += 1;
    return *this;
  }

  constexpr double value() const { return value_; }
  constexpr double magnitude() const { return magnitude_; }  // the sum of |terms|
  constexpr double terms() const { return terms_; }
  constexpr double bound() const { return bounds::sum_of_products(terms_, magnitude_); }
  constexpr operator Expected() const { return {value_, bound()}; }

 private:
  double value_ = 0;
  double magnitude_ = 0;
  double terms_ = 0;
};

// One correctly rounded operation on exact operands, e.g. rounded(x + b).
constexpr Expected rounded(double value) {
  return {value, bounds::one_rounding(value)};
}

// A function of a few units in the last place.
constexpr Expected within_ulps(double value, double k) {
  return {value, bounds::ulps(value, k)};
}

}  // namespace testing
