// Arithmetic on the bits of 16-bit floating-point numbers: what cuda_fp16.h and cuda_bf16.h are
// made of. Each operation rounds once, to nearest even unless it says otherwise; NaN results are
// 0x7fff.
#pragma once

namespace simt {

enum class Rounding { nearest, to_zero, down, up };

// IEEE binary16: 5 bits of exponent, 10 of fraction.
namespace binary16 {
#include "float16_arithmetic.inc"
}
// bfloat16: the upper half of a float.
namespace bfloat16 {
#include "float16_arithmetic.inc"  // NOLINT(readability-duplicate-include): once a namespace
}

// Values of both formats as integers: saturated, NaN gives 0 (for 64 bits: the sign bit alone).
signed char to_signed_char(float value, Rounding rounding) noexcept;
unsigned char to_unsigned_char(float value, Rounding rounding) noexcept;
short to_short(float value, Rounding rounding) noexcept;
unsigned short to_unsigned_short(float value, Rounding rounding) noexcept;
int to_int(float value, Rounding rounding) noexcept;
unsigned int to_unsigned_int(float value, Rounding rounding) noexcept;
long long to_long_long(float value, Rounding rounding) noexcept;
unsigned long long to_unsigned_long_long(float value, Rounding rounding) noexcept;

}  // namespace simt
