// The error analysis of one row of gates, which 015, 016, 019 and 020 share.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "oracle/bounded.h"
#include "oracle/rounding.h"

namespace oracle {

// One row of values v_0 .. v_{k-1} and their sum s.
//
// The sum is off by at most 2 (k + 8) unit sum |v| (any order), and by the values' own errors; both
// relative to s, in `relative`. Then g_i = v_i / s by any method: 5 unit, and 2.5 tiny below the
// normal range. So |dg_i| <= (e_i / s + |g_i| relative) / (1 - relative) + 5 unit |g_i| + 3 tiny.
struct GateRow {
  GateRow(const Input& values, std::size_t first, std::size_t k);

  double sum = 0;
  double relative = 0;
  std::vector<double> gate;
  std::vector<double> bound;
};

inline GateRow::GateRow(const Input& values, std::size_t first, std::size_t k) : gate(k), bound(k) {
  double magnitude = 0, error = 0;
  for (std::size_t j = 0; j < k; ++j) {
    sum += values[first + j];
    magnitude += values.magnitude(first + j);
    error += values.error(first + j);
  }
  relative = (product_sum_bound(k, magnitude) + error) / sum;
  for (std::size_t j = 0; j < k; ++j) {
    gate[j] = values[first + j] / sum;
    if (values.magnitude(first + j) == 0) continue;  // exactly 0
    bound[j] = (values.error(first + j) / sum + std::fabs(gate[j]) * relative) / (1 - relative) +
               5 * unit * std::fabs(gate[j]) + 3 * tiny;
  }
}

}  // namespace oracle
