// Arithmetic of 16-bit floating-point numbers. Results are computed in double, made exact enough
// that rounding them to 16 bits is the only rounding that counts.
#include "simt/float16.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "atomic_operation.h"

namespace simt {
namespace {

// A format: its precision (the hidden bit included) and its largest exponent.
struct Binary16 {
  static constexpr int precision = 11;
  static constexpr int largest_exponent = 15;
};
struct Bfloat16 {
  static constexpr int precision = 8;
  static constexpr int largest_exponent = 127;
};

using Bits = unsigned short;
constexpr Bits canonical_nan = 0x7fff;
constexpr Bits sign_bit = 0x8000;
constexpr Bits magnitude_bits = 0x7fff;

template <class Format>
constexpr Bits infinity = static_cast<Bits>((2 * Format::largest_exponent + 1)
                                            << (Format::precision - 1));
template <class Format>
bool nan(Bits a) {
  return (a & magnitude_bits) > infinity<Format>;
}

// The double rounded to the format.
template <class Format>
Bits rounded(double value, Rounding rounding = Rounding::nearest) {
  const auto all = std::bit_cast<std::uint64_t>(value);
  const bool negative = (all >> 63) != 0;
  const std::uint64_t magnitude = all & ~(std::uint64_t{1} << 63);
  const Bits sign = negative ? sign_bit : Bits{0};
  if (std::isnan(value)) return canonical_nan;
  if (std::isinf(value)) return sign | infinity<Format>;
  if (magnitude == 0) return sign;
  constexpr int smallest_exponent = 1 - Format::largest_exponent;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  std::uint64_t significand = magnitude & ((std::uint64_t{1} << 52) - 1);
  if (exponent > -1023) significand |= std::uint64_t{1} << 52;
  int dropped = 53 - Format::precision;
  if (exponent < smallest_exponent) dropped += smallest_exponent - exponent;
  if (dropped > 60) dropped = 60;
  std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  switch (rounding) {
    case Rounding::nearest:
      kept += rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::down:
      kept += rest != 0 && negative;
      break;
    case Rounding::up:
      kept += rest != 0 && !negative;
      break;
    case Rounding::to_zero:
      break;
  }
  // The hidden bit adds one to the exponent's field.
  if (exponent >= smallest_exponent) {
    kept += static_cast<std::uint64_t>(exponent - smallest_exponent) << (Format::precision - 1);
  }
  if (kept >= infinity<Format>) {
    const bool stays_finite = rounding == Rounding::to_zero ||
                              (rounding == Rounding::down && !negative) ||
                              (rounding == Rounding::up && negative);
    kept = stays_finite ? infinity<Format> - 1 : infinity<Format>;
  }
  return static_cast<Bits>(sign | kept);
}

template <class Format>
float widened(Bits a) {
  constexpr int fraction = Format::precision - 1;
  const auto sign = static_cast<std::uint32_t>(a & sign_bit) << 16;
  const std::uint32_t magnitude = a & magnitude_bits;
  if constexpr (Format::largest_exponent == 127) {
    return std::bit_cast<float>(sign | magnitude << 16);
  } else {
    if (magnitude >= infinity<Format>) {
      return std::bit_cast<float>(sign | 0x7f800000u | (magnitude << (23 - fraction) & 0x7fffffu));
    }
    if (magnitude < (1u << fraction)) {  // subnormal
      const float value = static_cast<float>(magnitude) * 0x1p-24f;
      return sign != 0 ? -value : value;
    }
    return std::bit_cast<float>(
        sign | ((magnitude << (23 - fraction)) + ((127u - Format::largest_exponent) << 23)));
  }
}

template <class Format>
double wide(Bits a) {
  return static_cast<double>(widened<Format>(a));
}

// a * b + c, for operands whose product is exact in double: the sum is rounded to odd, so that
// rounding it once more to far fewer bits gives what one rounding would.
double fused(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  if (error == 0) return sum;
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if ((bits & 1) != 0) return sum;
  const bool away = (error > 0) == (sum > 0);
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

// 64-bit integers have more digits than a double: what is lost is kept as one low bit.
double sticky(std::uint64_t magnitude) {
  if (magnitude >> 53 == 0) return static_cast<double>(magnitude);
  const std::uint64_t low = magnitude & 0xfff;
  return static_cast<double>(magnitude >> 12 | (low != 0 ? 1 : 0)) * 4096.0;
}

template <class To>
To integer(float value, Rounding rounding) {
  if (std::isnan(value)) {
    return sizeof(To) < 8 ? To{0} : static_cast<To>(std::uint64_t{1} << 63);
  }
  float whole = value;
  switch (rounding) {
    case Rounding::nearest:
      whole = std::nearbyint(value);
      break;
    case Rounding::to_zero:
      whole = std::trunc(value);
      break;
    case Rounding::down:
      whole = std::floor(value);
      break;
    case Rounding::up:
      whole = std::ceil(value);
      break;
  }
  constexpr To low = std::numeric_limits<To>::min();
  constexpr To high = std::numeric_limits<To>::max();
  if (whole <= static_cast<float>(low)) return low;
  if (whole >= static_cast<float>(high)) return high;
  return static_cast<To>(whole);
}

template <class Format>
Bits larger(Bits a, Bits b, bool smaller) {
  const float x = widened<Format>(a);
  const float y = widened<Format>(b);
  if (x == y) {
    const bool a_negative = (a & sign_bit) != 0;  // of two zeros
    return a_negative == smaller ? a : b;
  }
  return (x > y) != smaller ? a : b;
}

template <class Format>
Bits extreme(Bits a, Bits b, bool smaller) {
  if (nan<Format>(a) && nan<Format>(b)) return canonical_nan;
  if (nan<Format>(a)) return b;
  if (nan<Format>(b)) return a;
  return larger<Format>(a, b, smaller);
}

template <class Format>
Bits extreme_nan(Bits a, Bits b, bool smaller) {
  return nan<Format>(a) || nan<Format>(b) ? canonical_nan : larger<Format>(a, b, smaller);
}

template <class Format>
Bits sum(Bits a, Bits b) {
  return rounded<Format>(wide<Format>(a) + wide<Format>(b));
}

}  // namespace

#define SIMT_FLOAT16_FORMAT Binary16
namespace binary16 {
#include "float16_functions.inc"
}
#undef SIMT_FLOAT16_FORMAT
#define SIMT_FLOAT16_FORMAT Bfloat16
namespace bfloat16 {
#include "float16_functions.inc"
}
#undef SIMT_FLOAT16_FORMAT

// clang-format off
signed char to_signed_char(float value, Rounding rounding) noexcept { return integer<signed char>(value, rounding); }
unsigned char to_unsigned_char(float value, Rounding rounding) noexcept { return integer<unsigned char>(value, rounding); }
short to_short(float value, Rounding rounding) noexcept { return integer<short>(value, rounding); }
unsigned short to_unsigned_short(float value, Rounding rounding) noexcept { return integer<unsigned short>(value, rounding); }
int to_int(float value, Rounding rounding) noexcept { return integer<int>(value, rounding); }
unsigned int to_unsigned_int(float value, Rounding rounding) noexcept { return integer<unsigned int>(value, rounding); }
long long to_long_long(float value, Rounding rounding) noexcept { return integer<long long>(value, rounding); }
unsigned long long to_unsigned_long_long(float value, Rounding rounding) noexcept { return integer<unsigned long long>(value, rounding); }
// clang-format on

}  // namespace simt
