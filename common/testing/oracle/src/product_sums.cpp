#include "product_sums.h"

#include <cmath>

#include "oracle/rounding.h"
#include "sizes.h"

namespace oracle {

void ProductSums::add_start(std::size_t i, const Input& start, std::size_t from) {
  value[i] += start[from];
  magnitude[i] += start.magnitude(from);
  spread[i] += start.error(from);
  ++starts[i];
}

void ProductSums::add_starts(const Input& start) {
  require_size(start, value.size(), "the start of the sums");
  for (std::size_t i = 0; i < value.size(); ++i) add_start(i, start, i);
}

void ProductSums::add_product(const MatrixView& A, const MatrixView& B, std::size_t first,
                              std::size_t rows, std::size_t columns, std::size_t inner) {
  // B once in the order of the inner loop, so that it runs over contiguous memory.
  std::vector<double> b(inner * columns);
  std::vector<double> b_error(inner * columns);
  std::vector<double> b_magnitude(inner * columns);
  for (std::size_t k = 0; k < inner; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      b[k * columns + j] = B.data[B.at(k, j)];
      b_error[k * columns + j] = B.data.error(B.at(k, j));
      b_magnitude[k * columns + j] = B.data.magnitude(B.at(k, j));
    }
  }
  const bool exact = A.data.exact() && B.data.exact();
  for (std::size_t i = 0; i < rows; ++i) {
    double* const value_row = value.data() + first + i * columns;
    double* const magnitude_row = magnitude.data() + first + i * columns;
    double* const spread_row = spread.data() + first + i * columns;
    for (std::size_t k = 0; k < inner; ++k) {
      const double a = A.data[A.at(i, k)];
      const double a_magnitude = A.data.magnitude(A.at(i, k));
      const double a_error = A.data.error(A.at(i, k));
      const double* const b_row = b.data() + k * columns;
      const double* const b_error_row = b_error.data() + k * columns;
      const double* const b_magnitude_row = b_magnitude.data() + k * columns;
      for (std::size_t j = 0; j < columns; ++j) value_row[j] += a * b_row[j];
      for (std::size_t j = 0; j < columns; ++j) {
        magnitude_row[j] += a_magnitude * b_magnitude_row[j];
      }
      if (exact) continue;
      for (std::size_t j = 0; j < columns; ++j) {
        spread_row[j] += std::fabs(a) * b_error_row[j] + a_error * b_magnitude_row[j];
      }
    }
    for (std::size_t j = 0; j < columns; ++j) products[first + i * columns + j] += inner;
  }
}

Bounded ProductSums::result() const {
  Bounded out{value, spread};
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (products[i] == 0 && starts[i] <= 1) continue;
    out.bound[i] += product_sum_bound(products[i] + starts[i], magnitude[i]);
  }
  return out;
}

}  // namespace oracle
