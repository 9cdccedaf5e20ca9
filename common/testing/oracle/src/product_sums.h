// Matrix products in double precision that also collect what their error bounds need.
#pragma once

#include <cstddef>
#include <vector>

#include "oracle/bounded.h"

namespace oracle {

// Element (i, j) of a matrix inside an array.
struct MatrixView {
  const Input& data;
  std::size_t first;
  std::size_t row_stride;
  std::size_t column_stride;

  std::size_t at(std::size_t i, std::size_t j) const {
    return first + i * row_stride + j * column_stride;
  }
};

// Sums of products, one an element: value = sum a b, magnitude = sum of (|a| + ea)(|b| + eb), and
// spread, how far the value moves when each operand moves by its error: |a| eb + ea (|b| + eb).
struct ProductSums {
  explicit ProductSums(std::size_t size)
      : value(size), magnitude(size), spread(size), products(size), starts(size) {}

  std::vector<double> value;
  std::vector<double> magnitude;
  std::vector<double> spread;
  std::vector<std::size_t> products;  // how many of them
  std::vector<std::size_t> starts;    // how many plain terms besides

  // One plain term more for element i: a bias, or what an accumulated output held before.
  void add_start(std::size_t i, const Input& start, std::size_t from);
  void add_starts(const Input& start);  // element by element
  // out(i, j) += sum over k < inner of A(i, k) B(k, j), with out row-major from `first` on.
  void add_product(const MatrixView& A, const MatrixView& B, std::size_t first, std::size_t rows,
                   std::size_t columns, std::size_t inner);
  // Value and bound, for any order of the sums. Where no product was added to a single start,
  // nothing was computed and the value is exact.
  Bounded result() const;
};

}  // namespace oracle
