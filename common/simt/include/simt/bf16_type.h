// The part of cuda_bf16.h for host and device code: bfloat16 numbers, their pairs and
// conversions. Included through that header.
#pragma once

#include <vector_types.h>

#include "fp16_type.h"
// From here on:
#include <simt/host_device_begin.h>
// Once, for both types.
#include "float16.h"

#define SIMT_TYPE __nv_bfloat16
#define SIMT_PAIR __nv_bfloat162
#define SIMT_RAW __nv_bfloat16_raw
#define SIMT_PAIR_RAW __nv_bfloat162_raw
#define SIMT_FORMAT bfloat16
#define SIMT_OTHER __half
#include "float16_type.inc"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// ---- From and to float and double ----
SIMT_INLINE __nv_bfloat16 __float2bfloat16(float x) {
  return x;
}
SIMT_INLINE __nv_bfloat16 __double2bfloat16(double x) {
  return x;
}
SIMT_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) {
  return simt::bfloat16::value(simt::bfloat16::from_float(x, simt::Rounding::nearest));
}
SIMT_INLINE __nv_bfloat16 __float2bfloat16_rz(float x) {
  return simt::bfloat16::value(simt::bfloat16::from_float(x, simt::Rounding::to_zero));
}
SIMT_INLINE __nv_bfloat16 __float2bfloat16_rd(float x) {
  return simt::bfloat16::value(simt::bfloat16::from_float(x, simt::Rounding::down));
}
SIMT_INLINE __nv_bfloat16 __float2bfloat16_ru(float x) {
  return simt::bfloat16::value(simt::bfloat16::from_float(x, simt::Rounding::up));
}
SIMT_INLINE float __bfloat162float(__nv_bfloat16 x) {
  return static_cast<float>(x);
}
SIMT_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) {
  return {x, x};
}
SIMT_INLINE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {x, y};
}
SIMT_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 x) {
  return {x.x, x.y};
}
SIMT_INLINE float2 __bfloat1622float2(__nv_bfloat162 x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}

// ---- From and to integers ----
#define SIMT_CONVERSIONS(word, Integer, from, to, suffix, mode)                  \
  SIMT_INLINE __nv_bfloat16 __##word##2bfloat16_##suffix(Integer x) {            \
    return simt::bfloat16::value(simt::bfloat16::from(x, simt::Rounding::mode)); \
  }                                                                              \
  SIMT_INLINE Integer __bfloat162##word##_##suffix(__nv_bfloat16 x) {            \
    return simt::to(static_cast<float>(x), simt::Rounding::mode);                \
  }
#define SIMT_ALL_CONVERSIONS(word, Integer, from, to)    \
  SIMT_CONVERSIONS(word, Integer, from, to, rn, nearest) \
  SIMT_CONVERSIONS(word, Integer, from, to, rz, to_zero) \
  SIMT_CONVERSIONS(word, Integer, from, to, rd, down)    \
  SIMT_CONVERSIONS(word, Integer, from, to, ru, up)
SIMT_ALL_CONVERSIONS(int, int, from_integer, to_int)
SIMT_ALL_CONVERSIONS(uint, unsigned int, from_unsigned, to_unsigned_int)
SIMT_ALL_CONVERSIONS(short, short, from_integer, to_short)
SIMT_ALL_CONVERSIONS(ushort, unsigned short, from_unsigned, to_unsigned_short)
SIMT_ALL_CONVERSIONS(ll, long long, from_integer, to_long_long)
SIMT_ALL_CONVERSIONS(ull, unsigned long long, from_unsigned, to_unsigned_long_long)
#undef SIMT_ALL_CONVERSIONS
#undef SIMT_CONVERSIONS
SIMT_INLINE signed char __bfloat162char_rz(__nv_bfloat16 x) {
  return simt::to_signed_char(static_cast<float>(x), simt::Rounding::to_zero);
}
SIMT_INLINE unsigned char __bfloat162uchar_rz(__nv_bfloat16 x) {
  return simt::to_unsigned_char(static_cast<float>(x), simt::Rounding::to_zero);
}

// ---- Bits ----
SIMT_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
  return simt::bfloat16::bits(x);
}
SIMT_INLINE short __bfloat16_as_short(__nv_bfloat16 x) {
  return static_cast<short>(simt::bfloat16::bits(x));
}
SIMT_INLINE constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return simt::bfloat16::value(x);
}
SIMT_INLINE constexpr __nv_bfloat16 __short_as_bfloat16(short x) {
  return simt::bfloat16::value(static_cast<unsigned short>(x));
}

// ---- Pairs ----
SIMT_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
SIMT_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
SIMT_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return {x, x};
}
SIMT_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) {
  return x.x;
}
SIMT_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) {
  return x.y;
}
SIMT_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) {
  return {x.x, x.x};
}
SIMT_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) {
  return {x.y, x.y};
}
SIMT_INLINE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y) {
  return {x.x, y.x};
}
SIMT_INLINE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y) {
  return {x.y, y.y};
}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

// Each of the two types from the other.
SIMT_INLINE __nv_bfloat16::__nv_bfloat16(__half other) : __nv_bfloat16(static_cast<float>(other)) {}
SIMT_INLINE __half::__half(__nv_bfloat16 other) : __half(static_cast<float>(other)) {}

#include <simt/host_device_end.h>
