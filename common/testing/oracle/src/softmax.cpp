// Lessons 012 and 013: row softmax and its backward. 018 is the same function as 012.
#include <algorithm>
#include <cmath>

#include "oracle/building_blocks.h"
#include "oracle/rounding.h"
#include "sizes.h"
#include "sums.h"

namespace oracle {

namespace {

constexpr double underflow = 110;  // exp(-110) rounds to 0 in binary32

// How far log(exp(x - max)) may be off. Besides exp_log_error, a kernel may scale before it
// subtracts, exp2(x c - max c) with c = log2(e), which rounds both products: unit (|x| + |max|).
// That is an exact softmax of inputs that moved by half an ulp, so it passes; past 2^15 (where it
// has lost more than half its digits) no more is granted.
double term_log_error(double x, double max) {
  return exp_log_error(std::min(max - x, underflow)) +
         unit * std::min(std::fabs(x) + std::fabs(max), 0x1p15);
}

}  // namespace

// y_i = e_i / S. Log errors add up, with L_j for that of e_j and d_j = max - x_j:
//   L_i                           e_i itself
//   sum y_j expm1(L_j + 4u d_j)   S = sum e_j, each term by its own error, weighted by y_j
//   7 n u                         the sum (n u), or an online softmax, which rescales the running
//                                 sum by exp(old max - new max) when the maximum grows: exponents
//                                 that add up to d_j (hence 4u d_j), at most n times, each with 5u
//                                 for the function, u for the product, u for the addition
//   8 u                           the quotient by any method
// with u = unit. Inputs that are off by e_j move log y_i by at most e_i + sum y_j expm1(e_j) (from
// above by the sum itself, from below by Jensen's inequality). Below the normal range exp errs by
// (2.5 + 1.173 d) tiny and the quotient by 2.5 tiny.
Bounded softmax_rows(const Input& x, int rows, int cols) {
  const std::size_t columns = to_size(cols), count = to_size(rows);
  require_size(x, count * columns, "x");
  Bounded out = make_bounded(x.size());
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t first = r * columns, last = first + columns;
    double max = -INFINITY;
    for (std::size_t i = first; i < last; ++i) max = std::max(max, x[i]);
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += std::exp(x[i] - max);
    double sum_error = 0, input_error = 0;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isinf(x[i])) continue;
      const double y = out.value[i] = std::exp(x[i] - max) / sum;
      const double d = std::min(max - x[i], underflow);
      sum_error += y * std::expm1(term_log_error(x[i], max) + 4 * unit * d);
      if (!x.exact()) input_error += y * std::expm1(x.error(i));
    }
    const double shared = sum_error + input_error + (7 * static_cast<double>(columns) + 8) * unit;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isinf(x[i])) continue;  // exactly 0
      const double d = std::min(max - x[i], underflow);
      const double log_error = term_log_error(x[i], max) + x.error(i) + shared;
      out.bound[i] = out.value[i] * std::expm1(log_error) + (5 + 1.2 * d) * tiny;
    }
  }
  return out;
}

// dx_i = y_i (dy_i - dot). dot is a sum of n products; then one subtraction and one product, or two
// products and a subtraction (y dy - y dot): 4 unit |y| (|dy| + |dot|) holds both. With errors in
// the inputs: dot moves by what its products move, dx by |y| (e_dy + e_dot) + e_y |dy - dot|.
Bounded softmax_rows_backward(const Input& y, const Input& dy, int rows, int cols) {
  const std::size_t columns = to_size(cols), count = to_size(rows);
  require_size(y, count * columns, "y");
  require_size(dy, count * columns, "dy");
  Bounded out = make_bounded(y.size());
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t first = r * columns, last = first + columns;
    ProductSum sum;
    for (std::size_t i = first; i < last; ++i) sum.add(y, i, dy, i);
    const double dot = sum.value(), dot_error = sum.bound();
    for (std::size_t i = first; i < last; ++i) {
      const double difference = dy[i] - dot;
      out.value[i] = y[i] * difference;
      const double ym = y.magnitude(i);
      if (ym == 0) continue;  // exactly 0
      out.bound[i] = ym * (4 * unit * (dy.magnitude(i) + std::fabs(dot) + dot_error) + dy.error(i) +
                           dot_error) +
                     y.error(i) * std::fabs(difference) + tiny;
    }
  }
  return out;
}

}  // namespace oracle
