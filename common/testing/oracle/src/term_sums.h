// A plain sum of array elements with its error bound.
#pragma once

#include <cmath>
#include <cstddef>

#include "oracle/bounded.h"
#include "oracle/rounding.h"

namespace oracle {

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

}  // namespace oracle
