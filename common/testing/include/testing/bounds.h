// Error bounds that follow from floating-point analysis, never from trying.
//
// u = 2^-24 is the unit roundoff of binary32: a correctly rounded operation returns x (1 + d) with
// |d| <= u. Results below 2^-126 are spaced 2^-149 apart, so each rounding there adds at most half
// of that. docs/error-bounds.md has the derivations in full.
#pragma once

#include <cmath>

namespace testing::bounds {

inline constexpr double unit_roundoff = 0x1p-24;
inline constexpr double smallest_denormal = 0x1p-149;

// k units in the last place of `value`: one ulp is at most 2^-23 |value|, and never less than the
// smallest denormal.
constexpr double ulps(double value, double k) {
  return k * (2 * unit_roundoff * (value < 0 ? -value : value) + smallest_denormal);
}

// One operation on exact operands (a sum, a product, a quotient, a square root): |err| <= u |value|
// when it is rounded to nearest. Twice that is granted, so that quotients by a reciprocal of one
// ulp and the like pass. A denormal result must still be exact to half its spacing: a kernel that
// flushes denormals to zero fails.
constexpr double one_rounding(double value) {
  return 2 * unit_roundoff * (value < 0 ? -value : value) + smallest_denormal / 2;
}

// atomicAdd on floats in global memory, a right way to sum, takes denormal operands for 0 and
// returns no denormal (PTX ISA, atom.add.f32): n additions lose less than 2 n 2^-126 that way, and
// never more than the terms' magnitude.
constexpr double flushed_by_atomics(double n, double magnitude) {
  const double most = 2 * n * 0x1p-126;
  return magnitude < most ? magnitude : most;
}

// A sum of n terms, each the product of two floats (or a float itself), in any order and any
// grouping; `magnitude` is the sum of |terms|.
//
// A product rounds once and then takes part in at most n - 1 additions, so its factor is
// (1 + d)^n and |err| <= n u / (1 - n u) * magnitude, whatever the order. The factor 2 and the 8
// leave room for algorithms that round otherwise: a product split into three TF32 products (each
// operand into a high and a low part, whose product of low parts, 2^-22 |a b|, is dropped),
// a sum over blocks, a bias or an old value added at the end. One TF32 product a term errs by up to
// 2^-10 |a b| and does not fit for n <= 32.
constexpr double sum_of_products(double n, double magnitude) {
  return 2 * (n + 8) * unit_roundoff * magnitude + n * smallest_denormal +
         flushed_by_atomics(n, magnitude);
}

// exp(x), relative: expf has 2 ulp, __expf has 2 + 1.173 |x| ulp (CUDA's programming guide), since
// the product of x and log2(e) rounds. An x that is itself a rounded difference of two floats adds
// another |x| u. Twice all of it.
inline double exponential_relative(double x) {
  return 2 * (2 + 1.173 * std::abs(x) + std::abs(x) / 2) * 2 * unit_roundoff;
}

// tanh(x): tanhf has 2 ulp; a form by __expf, 1 - 2 / (1 + e^(2x)), has an absolute error of a few
// u, which near 0 is not relative any more. Forms that stay accurate near 0 and those that do not
// both pass; tanh.approx, 2^-11, does not.
inline double hyperbolic_tangent(double x) {
  const double exponential = std::abs(x) < 20 ? exponential_relative(2 * x) : 0;
  return 8 * unit_roundoff + exponential * (1 - std::abs(std::tanh(x)));
}

// Softmax of a row of n entries: y_i = e_i / s with e_i = exp(x_i - max). `distance` is max - x_i,
// `mean_distance` the mean of max - x_j weighted by y_j: the errors of the e_j enter s with these
// weights. The sum adds n u, the quotient 2 u. Entries below 2^-126 may be denormal.
inline double softmax(double y, double distance, double mean_distance, double n) {
  const double relative = exponential_relative(distance) + exponential_relative(mean_distance) +
                          2 * (n + 4) * unit_roundoff;
  return relative * y + 4 * smallest_denormal;
}

}  // namespace testing::bounds
