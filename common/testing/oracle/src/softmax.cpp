// Lessons 012 and 013: row softmax and its backward. 018 is the same function as 012.
#include <algorithm>
#include <cmath>

#include "oracle/building_blocks.h"
#include "oracle/rounding.h"
#include "sizes.h"

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

// y_i = e_i / S. With L_j for the log error of e_j:
//   e_i itself                                                       L_i
//   S = sum e_j: each term by its own error, weighted by y_j          sum y_j expm1(L_j + 4 unit
//   d_j)
//     where an online softmax rescales the running sum by exp(old max - new max) whenever the
//     maximum grows: exponents that add up to d_j = max - x_j (hence 4 unit d_j), and at most n
//     times 4 unit for the function, unit for the product, unit for the addition: 6 n unit, which
//     holds the plain sum's n unit as well
//   the quotient, or a reciprocal and a product                       8 unit
// Inputs that are off by e_j move log y_i by at most e_i + sum y_j expm1(e_j) (Jensen below, the
// sum itself above). Below the normal range exp errs by (2 + 1.173 d) tiny, the quotient by tiny
// / 2.
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
    const double shared = sum_error + input_error + (6 * static_cast<double>(columns) + 8) * unit;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isinf(x[i])) continue;  // exactly 0
      const double d = std::min(max - x[i], underflow);
      const double log_error = term_log_error(x[i], max) + x.error(i) + shared;
      out.bound[i] = out.value[i] * std::expm1(log_error) + (3 + 1.2 * d) * tiny;
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
    double dot = 0, magnitude = 0, spread = 0;
    for (std::size_t i = first; i < last; ++i) {
      dot += y[i] * dy[i];
      magnitude += y.magnitude(i) * dy.magnitude(i);
      spread += product_spread(y, i, dy, i);
    }
    const double dot_error = product_sum_bound(columns, magnitude) + spread;
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
