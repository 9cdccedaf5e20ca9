// The part of cuda_fp16.h for host and device code: half precision numbers, their pairs and
// conversions. Included through that header.
#pragma once

#include <vector_types.h>
// From here on:
#include <simt/host_device_begin.h>
// Once, for both types.
#include "float16.h"

#define SIMT_TYPE __half
#define SIMT_PAIR __half2
#define SIMT_RAW __half_raw
#define SIMT_PAIR_RAW __half2_raw
#define SIMT_FORMAT binary16
#define SIMT_OTHER __nv_bfloat16
#include "float16_type.inc"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

// ---- From and to float and double ----
SIMT_INLINE __half __float2half(float x) {
  return x;
}
SIMT_INLINE __half __double2half(double x) {
  return x;
}
SIMT_INLINE __half __float2half_rn(float x) {
  return simt::binary16::value(simt::binary16::from_float(x, simt::Rounding::nearest));
}
SIMT_INLINE __half __float2half_rz(float x) {
  return simt::binary16::value(simt::binary16::from_float(x, simt::Rounding::to_zero));
}
SIMT_INLINE __half __float2half_rd(float x) {
  return simt::binary16::value(simt::binary16::from_float(x, simt::Rounding::down));
}
SIMT_INLINE __half __float2half_ru(float x) {
  return simt::binary16::value(simt::binary16::from_float(x, simt::Rounding::up));
}
SIMT_INLINE float __half2float(__half x) {
  return static_cast<float>(x);
}
SIMT_INLINE __half2 __float2half2_rn(float x) {
  return {x, x};
}
SIMT_INLINE __half2 __floats2half2_rn(float x, float y) {
  return {x, y};
}
SIMT_INLINE __half2 __float22half2_rn(float2 x) {
  return {x.x, x.y};
}
SIMT_INLINE float2 __half22float2(__half2 x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}

// ---- From and to integers ----
#define SIMT_CONVERSIONS(word, Integer, from, to, suffix, mode)                  \
  SIMT_INLINE __half __##word##2half_##suffix(Integer x) {                       \
    return simt::binary16::value(simt::binary16::from(x, simt::Rounding::mode)); \
  }                                                                              \
  SIMT_INLINE Integer __half2##word##_##suffix(__half x) {                       \
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
SIMT_INLINE signed char __half2char_rz(__half x) {
  return simt::to_signed_char(static_cast<float>(x), simt::Rounding::to_zero);
}
SIMT_INLINE unsigned char __half2uchar_rz(__half x) {
  return simt::to_unsigned_char(static_cast<float>(x), simt::Rounding::to_zero);
}

// ---- Bits ----
SIMT_INLINE unsigned short __half_as_ushort(__half x) {
  return simt::binary16::bits(x);
}
SIMT_INLINE short __half_as_short(__half x) {
  return static_cast<short>(simt::binary16::bits(x));
}
SIMT_INLINE constexpr __half __ushort_as_half(unsigned short x) {
  return simt::binary16::value(x);
}
SIMT_INLINE constexpr __half __short_as_half(short x) {
  return simt::binary16::value(static_cast<unsigned short>(x));
}

// ---- Pairs ----
SIMT_INLINE __half2 make_half2(__half x, __half y) {
  return {x, y};
}
SIMT_INLINE __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
SIMT_INLINE __half2 __half2half2(__half x) {
  return {x, x};
}
SIMT_INLINE __half __low2half(__half2 x) {
  return x.x;
}
SIMT_INLINE __half __high2half(__half2 x) {
  return x.y;
}
SIMT_INLINE __half2 __low2half2(__half2 x) {
  return {x.x, x.x};
}
SIMT_INLINE __half2 __high2half2(__half2 x) {
  return {x.y, x.y};
}
SIMT_INLINE __half2 __lows2half2(__half2 x, __half2 y) {
  return {x.x, y.x};
}
SIMT_INLINE __half2 __highs2half2(__half2 x, __half2 y) {
  return {x.y, y.y};
}
SIMT_INLINE __half2 __lowhigh2highlow(__half2 x) {
  return {x.y, x.x};
}

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#include <simt/host_device_end.h>
