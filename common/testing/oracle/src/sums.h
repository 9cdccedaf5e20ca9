// Sums of array elements and of their products, with error bounds: the two errors of one element at
// a time, what the inputs carry and what the kernel rounds.
#pragma once

#include <cmath>
#include <cstddef>

#include "oracle/bounded.h"
#include "oracle/rounding.h"

namespace oracle {

// A sum of elements in any order.
class TermSum {
 public:
  void add(const Input& array, std::size_t i) {
    value_ += array[i];
    magnitude_ += array.magnitude(i);
    error_ += array.error(i);
    ++terms_;
  }
  void store(Bounded& out, std::size_t i) const {
    out.value[i] = value_;
    out.bound[i] = sum_bound(terms_, magnitude_) + error_;
  }

 private:
  double value_ = 0;
  double magnitude_ = 0;
  double error_ = 0;
  std::size_t terms_ = 0;
};

// A sum of products of elements in any order.
class ProductSum {
 public:
  void add(const Input& a, std::size_t i, const Input& b, std::size_t j) {
    value_ += a[i] * b[j];
    magnitude_ += a.magnitude(i) * b.magnitude(j);
    spread_ += product_spread(a, i, b, j);
    ++terms_;
  }
  double value() const { return value_; }
  double bound() const { return product_sum_bound(terms_, magnitude_) + spread_; }
  void store(Bounded& out, std::size_t i) const {
    out.value[i] = value();
    out.bound[i] = bound();
  }

 private:
  double value_ = 0;
  double magnitude_ = 0;
  double spread_ = 0;
  std::size_t terms_ = 0;
};

// out_i = a_i + b_j: the errors add up, then the sum is rounded once.
inline void store_addition(const Input& a, std::size_t i, const Input& b, std::size_t j,
                           Bounded& out) {
  const double error = a.error(i) + b.error(j);
  out.value[i] = a[i] + b[j];
  out.bound[i] = addition_bound(std::fabs(out.value[i]) + error) + error;
}

// out_to = a_i b_j, rounded once.
inline void store_product(const Input& a, std::size_t i, const Input& b, std::size_t j,
                          Bounded& out, std::size_t to) {
  const double spread = product_spread(a, i, b, j);
  out.value[to] = a[i] * b[j];
  out.bound[to] = product_bound(std::fabs(out.value[to]) + spread) + spread;
}

}  // namespace oracle
