// Sizes and checks that the sources share.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "oracle/bounded.h"

namespace oracle {

inline std::size_t to_size(int n) {
  if (n < 0) throw std::invalid_argument("oracle: a size is negative");
  return static_cast<std::size_t>(n);
}

// A wrong size is a mistake of the caller; without this it would be a read past the end.
inline void require_size(std::size_t size, std::size_t want, const char* name) {
  if (size != want) {
    throw std::invalid_argument(std::string("oracle: ") + name + " has " + std::to_string(size) +
                                " elements, not " + std::to_string(want));
  }
}

inline void require_size(const Input& array, std::size_t want, const char* name) {
  require_size(array.size(), want, name);
}

}  // namespace oracle
