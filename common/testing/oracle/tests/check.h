// Comparisons for the tests of the oracles.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "oracle/bounded.h"

namespace oracle_test {

// Every element within `tolerance` of what is wanted: half a unit in the last decimal that a text
// prints, say. Written so that a NaN fails.
inline void check_near(const std::vector<double>& got, const std::vector<double>& want,
                       double tolerance) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("element ", i, ": got ", got[i], ", want ", want[i]);
    CHECK(std::fabs(got[i] - want[i]) <= tolerance);
  }
}

inline void check_near(const oracle::Bounded& got, const std::vector<double>& want,
                       double tolerance) {
  check_near(got.value, want, tolerance);
}

// The central difference of `loss` by element `i` of what it reads. With h = 1e-5 it errs by about
// 1e-10.
template <class Loss>
double central_difference(std::vector<double>& x, std::size_t i, const Loss& loss) {
  const double h = 1e-5;
  const double before = x[i];
  x[i] = before + h;
  const double above = loss();
  x[i] = before - h;
  const double below = loss();
  x[i] = before;
  return (above - below) / (2 * h);
}

// Row `r` of a matrix.
inline std::vector<double> row(const oracle::Bounded& matrix, std::size_t r, std::size_t columns) {
  const auto first = matrix.value.begin() + static_cast<std::ptrdiff_t>(r * columns);
  return {first, first + static_cast<std::ptrdiff_t>(columns)};
}

}  // namespace oracle_test
