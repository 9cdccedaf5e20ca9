#include "testing/oracle.h"

#include <cfloat>
#include <cmath>

namespace testing {

bool Expected::admits(double got) const {
  if (std::isnan(value)) return std::isnan(got);
  if (std::isinf(got)) {
    // A value past the largest float may overflow.
    return std::isinf(value) ? got == value
                             : std::signbit(got) == std::signbit(value) &&
                                   std::abs(value) + bound > static_cast<double>(FLT_MAX);
  }
  return std::abs(got - value) <= bound;  // false for NaN
}

}  // namespace testing
