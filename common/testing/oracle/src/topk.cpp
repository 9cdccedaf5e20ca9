// Lesson 014: exact, so there is nothing to bound; and how safe a choice is from rounding.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "oracle/gating.h"
#include "sizes.h"

namespace oracle {

namespace {

// Column indices of one row, the first `count` of them in the lesson's order.
std::vector<int> ranked(const Input& scores, std::size_t first, std::size_t columns,
                        std::size_t count) {
  std::vector<int> order(columns);
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int a, int b) {
    const double x = scores[first + to_size(a)], y = scores[first + to_size(b)];
    // A NaN, which only a wrong kernel's output holds, comes last: still an order.
    if (std::isnan(x) || std::isnan(y)) {
      return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
    }
    return x > y || (x == y && a < b);
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    before);
  return order;
}

void check(const Input& scores, int rows, int cols, int k) {
  require_size(scores, to_size(rows) * to_size(cols), "scores");
  if (rows > 0 && (k < 1 || k > cols)) throw std::invalid_argument("oracle: k is not in 1 .. cols");
}

// Distance of two values in descending order; equal infinities are 0 apart.
double gap(double upper, double lower) {
  return upper == lower ? 0 : upper - lower;
}

}  // namespace

TopK topk_rows(const Input& scores, int rows, int cols, int k) {
  check(scores, rows, cols, k);
  const std::size_t columns = to_size(cols), count = to_size(k);
  TopK out;
  for (std::size_t r = 0; r < to_size(rows); ++r) {
    const std::vector<int> order = ranked(scores, r * columns, columns, count);
    for (std::size_t j = 0; j < count; ++j) {
      out.values.push_back(scores[r * columns + to_size(order[j])]);
      out.indices.push_back(order[j]);
    }
  }
  return out;
}

std::vector<double> kth_gaps(const Input& scores, int rows, int cols, int k) {
  check(scores, rows, cols, k);
  const std::size_t columns = to_size(cols), count = to_size(k);
  std::vector<double> gaps(to_size(rows), std::numeric_limits<double>::infinity());
  if (count == columns) return gaps;
  for (std::size_t r = 0; r < gaps.size(); ++r) {
    const std::vector<int> order = ranked(scores, r * columns, columns, count + 1);
    gaps[r] = gap(scores[r * columns + to_size(order[count - 1])],
                  scores[r * columns + to_size(order[count])]);
  }
  return gaps;
}

std::vector<double> order_gaps(const Input& scores, int rows, int cols, int k) {
  check(scores, rows, cols, k);
  const std::size_t columns = to_size(cols), count = std::min(to_size(k) + 1, columns);
  std::vector<double> gaps(to_size(rows), std::numeric_limits<double>::infinity());
  for (std::size_t r = 0; r < gaps.size(); ++r) {
    const std::vector<int> order = ranked(scores, r * columns, columns, count);
    for (std::size_t j = 1; j < count; ++j) {
      gaps[r] = std::min(gaps[r], gap(scores[r * columns + to_size(order[j - 1])],
                                      scores[r * columns + to_size(order[j])]));
    }
  }
  return gaps;
}

bool choice_is_certain(const Input& scores, int rows, int cols, int k) {
  check(scores, rows, cols, k);
  const std::size_t columns = to_size(cols), count = to_size(k);
  for (std::size_t r = 0; r < to_size(rows); ++r) {
    const std::vector<int> order = ranked(scores, r * columns, columns, columns);
    // From the smallest up: the largest that anything after the j-th may be.
    double rest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = columns; j-- > 0;) {
      const std::size_t i = r * columns + to_size(order[j]);
      if (std::isnan(scores.error(i))) return false;
      if (j < count && j + 1 < columns && !(scores[i] - scores.error(i) > rest)) return false;
      rest = std::max(rest, scores[i] + scores.error(i));
    }
  }
  return true;
}

}  // namespace oracle
