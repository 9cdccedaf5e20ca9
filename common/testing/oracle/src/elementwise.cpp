// Lessons 004 to 007: bias and elementwise work.
#include <cmath>

#include "oracle/building_blocks.h"
#include "oracle/rounding.h"
#include "sizes.h"
#include "term_sums.h"

namespace oracle {

namespace {

// One addition of two values with errors: the errors add up, then the sum is rounded.
void add_element(const Input& a, std::size_t i, const Input& b, std::size_t j, Bounded& out) {
  const double error = a.error(i) + b.error(j);
  out.value[i] = a[i] + b[j];
  out.bound[i] = addition_bound(std::fabs(out.value[i]) + error) + error;
}

}  // namespace

Bounded bias_add(const Input& X, const Input& b, int rows, int cols) {
  const std::size_t columns = to_size(cols), size = to_size(rows) * columns;
  require_size(X, size, "X");
  require_size(b, columns, "b");
  Bounded out = make_bounded(size);
  for (std::size_t i = 0; i < size; ++i) add_element(X, i, b, i % columns, out);
  return out;
}

Bounded bias_grad(const Input& dY, const Input& db0, int rows, int cols) {
  const std::size_t columns = to_size(cols), count = to_size(rows);
  require_size(dY, count * columns, "dY");
  require_size(db0, columns, "db");
  Bounded out = make_bounded(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    TermSum sum;
    sum.add(db0, c);
    for (std::size_t r = 0; r < count; ++r) sum.add(dY, r * columns + c);
    sum.store(out, c);
  }
  return out;
}

Bounded elementwise_add(const Input& a, const Input& b) {
  require_size(b, a.size(), "b");
  Bounded out = make_bounded(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) add_element(a, i, b, i, out);
  return out;
}

Bounded elementwise_multiply(const Input& a, const Input& b) {
  require_size(b, a.size(), "b");
  Bounded out = make_bounded(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.value[i] = a[i] * b[i];
    const double spread = product_spread(a, i, b, i);
    out.bound[i] = product_bound(std::fabs(out.value[i]) + spread) + spread;
  }
  return out;
}

}  // namespace oracle
