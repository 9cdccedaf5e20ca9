// Lessons 004 to 007: bias and elementwise work.
#include "oracle/building_blocks.h"
#include "sizes.h"
#include "sums.h"

namespace oracle {

Bounded bias_add(const Input& X, const Input& b, int rows, int cols) {
  const std::size_t columns = to_size(cols), size = to_size(rows) * columns;
  require_size(X, size, "X");
  require_size(b, columns, "b");
  Bounded out = make_bounded(size);
  for (std::size_t i = 0; i < size; ++i) store_addition(X, i, b, i % columns, out);
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
  for (std::size_t i = 0; i < a.size(); ++i) store_addition(a, i, b, i, out);
  return out;
}

Bounded elementwise_multiply(const Input& a, const Input& b) {
  require_size(b, a.size(), "b");
  Bounded out = make_bounded(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    store_product(a, i, b, i, out, i);
  }
  return out;
}

}  // namespace oracle
