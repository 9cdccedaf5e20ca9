// Lessons 015 and 016. 019 and 020 rest on them.
#include <algorithm>
#include <cmath>

#include "oracle/gating.h"
#include "oracle/rounding.h"
#include "sizes.h"
#include "sums.h"

namespace oracle {

namespace {

// One row of values v_0 .. v_{k-1} and their sum s.
//
// The sum is off by at most 2 (k + 8) unit sum |v| (any order), and by the values' own errors; both
// relative to s, in `relative`. Then g_i = v_i / s by any method: 5 unit, and 2.5 tiny below the
// normal range. So |dg_i| <= (e_i / s + |g_i| relative) / (1 - relative) + 5 unit |g_i| + 3 tiny
// (no bound at all where relative >= 1).
struct GateRow {
  GateRow(const Input& values, std::size_t first, std::size_t k);

  double sum = 0;
  double relative = 0;
  Bounded gate;
};

GateRow::GateRow(const Input& values, std::size_t first, std::size_t k) : gate(make_bounded(k)) {
  double magnitude = 0, error = 0;
  for (std::size_t j = 0; j < k; ++j) {
    sum += values[first + j];
    magnitude += values.magnitude(first + j);
    error += values.error(first + j);
  }
  relative = (product_sum_bound(k, magnitude) + error) / sum;
  for (std::size_t j = 0; j < k; ++j) {
    gate.value[j] = values[first + j] / sum;
    if (values.magnitude(first + j) == 0) continue;  // exactly 0
    gate.bound[j] = (values.error(first + j) / sum + std::fabs(gate.value[j]) * relative) /
                        std::max(1 - relative, 0.0) +
                    5 * unit * std::fabs(gate.value[j]) + 3 * tiny;
  }
}

}  // namespace

Bounded normalize_gates(const Input& values, int rows, int k) {
  const std::size_t columns = to_size(k), count = to_size(rows);
  require_size(values, count * columns, "values");
  Bounded out = make_bounded(values.size());
  for (std::size_t r = 0; r < count; ++r) {
    const GateRow row(values, r * columns, columns);
    std::copy(row.gate.value.begin(), row.gate.value.end(),
              out.value.begin() + static_cast<std::ptrdiff_t>(r * columns));
    std::copy(row.gate.bound.begin(), row.gate.bound.end(),
              out.bound.begin() + static_cast<std::ptrdiff_t>(r * columns));
  }
  return out;
}

// dv_i = (dg_i - dot) / s with dot = sum dg_j g_j, or (sum dg_j v_j) / s. What adds up:
//   - dot: k products whose factor g_j is off by its bound. The second form's sum and quotient err
//     by no more.
//   - the difference (unit) and the quotient by any method (5 unit), or two quotients and then the
//     difference: 8 unit (|dg_i| + |dot|) / s holds both
//   - s, shared by both parts: |dv_i| relative / (1 - relative)
//   - 2.5 tiny for a quotient below the normal range
Bounded normalize_gates_backward(const Input& values, const Input& dgates, int rows, int k) {
  const std::size_t columns = to_size(k), count = to_size(rows);
  require_size(values, count * columns, "values");
  require_size(dgates, count * columns, "dgates");
  Bounded out = make_bounded(values.size());
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t first = r * columns;
    const GateRow row(values, first, columns);
    const Input gates(row.gate);
    ProductSum sum;
    for (std::size_t j = 0; j < columns; ++j) sum.add(dgates, first + j, gates, j);
    const double dot = sum.value(), dot_error = sum.bound();
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t i = first + j;
      const double difference = dgates[i] - dot;
      out.value[i] = difference / row.sum;
      const double numerator_error = dgates.error(i) + dot_error +
                                     8 * unit * (dgates.magnitude(i) + std::fabs(dot) + dot_error);
      if (numerator_error == 0) continue;  // all gradients 0
      out.bound[i] = (numerator_error + std::fabs(difference) * row.relative) / row.sum /
                         std::max(1 - row.relative, 0.0) +
                     3 * tiny;
    }
  }
  return out;
}

}  // namespace oracle
