// Function objects of libcu++ that reductions and scans take.
#pragma once

#include <simt/host_device_begin.h>

#define SIMT_BINARY_FUNCTION(name, expression)                                                  \
  template <class T = void>                                                                     \
  struct name {                                                                                 \
    constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(expression); } \
  };                                                                                            \
  template <>                                                                                   \
  struct name<void> {                                                                           \
    template <class T, class U>                                                                 \
    constexpr auto operator()(const T& a, const U& b) const {                                   \
      return expression;                                                                        \
    }                                                                                           \
  };

namespace cuda {
SIMT_BINARY_FUNCTION(maximum, a < b ? b : a)
SIMT_BINARY_FUNCTION(minimum, b < a ? b : a)
namespace std {
SIMT_BINARY_FUNCTION(plus, a + b)
SIMT_BINARY_FUNCTION(minus, a - b)
SIMT_BINARY_FUNCTION(multiplies, a* b)
SIMT_BINARY_FUNCTION(bit_and, a& b)
SIMT_BINARY_FUNCTION(bit_or, a | b)
SIMT_BINARY_FUNCTION(bit_xor, a ^ b)
SIMT_BINARY_FUNCTION(logical_and, a&& b)
SIMT_BINARY_FUNCTION(logical_or, a || b)
}  // namespace std
}  // namespace cuda

#undef SIMT_BINARY_FUNCTION

#include <simt/host_device_end.h>
