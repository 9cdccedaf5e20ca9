// Lessons 015 and 016.
#include "gates.h"

#include <algorithm>
#include <cmath>

#include "oracle/gating.h"
#include "sizes.h"

namespace oracle {

Bounded normalize_gates(const Input& values, int rows, int k) {
  const std::size_t columns = to_size(k), count = to_size(rows);
  require_size(values, count * columns, "values");
  Bounded out = make_bounded(values.size());
  for (std::size_t r = 0; r < count; ++r) {
    const GateRow row(values, r * columns, columns);
    std::copy(row.gate.begin(), row.gate.end(),
              out.value.begin() + static_cast<std::ptrdiff_t>(r * columns));
    std::copy(row.bound.begin(), row.bound.end(),
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
    double dot = 0, magnitude = 0, spread = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double g = std::fabs(row.gate[j]) + row.bound[j];
      dot += dgates[first + j] * row.gate[j];
      magnitude += dgates.magnitude(first + j) * g;
      spread += dgates.magnitude(first + j) * row.bound[j] +
                dgates.error(first + j) * std::fabs(row.gate[j]);
    }
    const double dot_error = product_sum_bound(columns, magnitude) + spread;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t i = first + j;
      const double difference = dgates[i] - dot;
      out.value[i] = difference / row.sum;
      const double numerator_error = dgates.error(i) + dot_error +
                                     8 * unit * (dgates.magnitude(i) + std::fabs(dot) + dot_error);
      if (numerator_error == 0) continue;  // all gradients 0
      out.bound[i] =
          (numerator_error + std::fabs(difference) * row.relative) / row.sum / (1 - row.relative) +
          3 * tiny;
    }
  }
  return out;
}

}  // namespace oracle
