// How far a right binary32 kernel may be from the exact result: the formulas that every oracle's
// bound is put together from.
//
// Model (IEEE 754, round to nearest): an addition, a product or a quotient of floats returns the
// exact result r with an error of at most unit * |r|; below the normal range a product or quotient
// errs by at most tiny / 2 instead, and an addition not at all. A fused multiply-add rounds once
// where a product and an addition round twice, so it never needs a larger bound.
//
// Functions: the CUDA programming guide states the largest distance from the correctly rounded
// result, hence half an ulp more from the exact one: expf, exp2f, tanhf and __fdividef 2.5 ulp, an
// approximate reciprocal 1.5 ulp, __expf(x) 2.5 + |1.173 x| ulp. (One ulp of r is at most 2 unit
// |r|, or tiny below the normal range.) All floats tried on an H200: 1.9, 2.4, 1.8, 1.0, 1.0, and
// within 1 % of what is stated for __expf.
//
// A quantity whose logarithm is off by at most L is off by at most the factor expm1(L).
#pragma once

#include <cmath>
#include <cstddef>

namespace oracle {

inline constexpr double unit = 0x1p-24;   // unit roundoff of binary32
inline constexpr double tiny = 0x1p-149;  // spacing of the subnormal numbers
// The oracles themselves round in double precision; bounds that leave no other room get this
// factor.
inline constexpr double own_rounding = 1 + 0x1p-20;

// One addition or subtraction whose exact result is r.
inline double addition_bound(double r) {
  return unit * std::fabs(r) * own_rounding;
}

// One product or quotient whose exact result is r; 0 stays exact.
inline double product_bound(double r) {
  return r == 0 ? 0 : unit * std::fabs(r) * own_rounding + tiny / 2;
}

// What n additions may lose when they are a GPU's atomicAdd on floats in global memory, a right way
// to sum: it takes a subnormal operand for 0 and returns 0 for a subnormal result (PTX ISA,
// atom.add.f32), each of which is less than the smallest normal number, and never more in all than
// the terms' magnitude.
inline double flush_bound(std::size_t n, double magnitude) {
  return std::fmin(magnitude, 2 * static_cast<double>(n) * 0x1p-126);
}

// A sum of n terms, `magnitude` = the sum of their absolute values, in any order or tree: each term
// passes through at most n - 1 additions, so |err| <= (n - 1) unit * magnitude (Rump; no higher
// order terms are needed). Twice that leaves room for terms that are split and recombined. One term
// is a copy, and a copy is exact.
inline double sum_bound(std::size_t n, double magnitude) {
  if (n < 2) return 0;
  return 2 * static_cast<double>(n) * unit * magnitude + flush_bound(n, magnitude);
}

// A sum of n products, `magnitude` = sum |a_i b_i|. Plain or fused loops in any order need
// n unit * magnitude (Jeannerod and Rump). Three-term TF32 needs 12 unit |a b| more a product: an
// operand's high and low part leave out 2^-22 of it, and the product of the two low parts, left out
// too, is at most 2^-22 |a b|. TF32 alone errs by up to 2^-10 |a b|, far outside for n <= 32. Up to
// three partial products a term may underflow, by tiny / 2 each.
inline double product_sum_bound(std::size_t n, double magnitude) {
  return magnitude == 0 ? 0
                        : 2 * (static_cast<double>(n) + 8) * (unit * magnitude + tiny) +
                              flush_bound(n, magnitude);
}

// exp(-d), d >= 0, where d is the difference of two floats: the logarithm of the result is off by
// at most this. __expf: unit d for the subtraction, (2.5 + 1.173 d) ulp for the function. expf: the
// same subtraction, 2.5 ulp. exp2f(d log2(e)): unit d for each of subtraction, constant and
// product, 2.5 ulp. The largest is 5 unit + 3.4 unit d.
inline double exp_log_error(double d) {
  return unit * (5 + 4 * d);
}

// tanh(v) in binary32, where v comes from an exact number by a polynomial of a few roundings:
// absolute error, with s = 1 - tanh(v)^2.
//   the argument: at most 8 roundings, 8 unit |v|, through the slope s:        8 s |v|
//   exp(2v) by __expf, (2.5 + 1.173 |2v|) ulp, through d tanh / d log e = s/2: s (2.5 + 2.4 |v|)
//   1 + e (unit, times 2 / (1 + e) <= 2), the quotient by __fdividef (2.5 ulp of a number in
//   [1, 2]), 1 minus that:                                                     2 + 5 + 1
// 2 sigmoid(2v) - 1 needs as much, (1 - e) / (1 + e) less, tanhf itself 2.5 unit.
inline double tanh_error(double v, double s) {
  return unit * (s * (2.5 + 10.4 * std::fabs(v)) + 8);
}

}  // namespace oracle
