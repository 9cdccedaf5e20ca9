// Where the wrong elements of an array lie, in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "testing/array.h"

namespace testing {

// "all of them", "all with n >= 16", "only odd n", "everything from element 256 on", ... ; empty
// when nothing is wrong. `wrong` has an entry for each element, row-major.
std::string describe_pattern(const Axes& axes, std::span<const char> wrong);

// "C[m=3, n=17]" of a flat index.
std::string element_name(const std::string& array, const Axes& axes, std::size_t flat);

// The indices of a flat index, slowest axis first.
std::vector<int> indices_of(const Axes& axes, std::size_t flat);

}  // namespace testing
