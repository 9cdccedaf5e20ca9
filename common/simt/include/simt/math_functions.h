// Mathematical functions with CUDA's overloads: the C library's, those that only CUDA has, and max,
// min and abs in the global namespace.
//
// The C++ library's <cmath> takes 0.3 s to parse, so it is left out. The overloads for float are
// templates: where <cmath> is included as well, its functions win without ambiguity.
#pragma once

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <bits/std_abs.h>

#undef fpclassify
#undef isfinite
#undef isgreater
#undef isgreaterequal
#undef isinf
#undef isless
#undef islessequal
#undef islessgreater
#undef isnan
#undef isnormal
#undef isunordered
#undef signbit

using std::abs;

namespace simt::detail {
template <class T>
inline constexpr bool is_float = false;
template <>
inline constexpr bool is_float<float> = true;
template <class T>
inline constexpr bool is_real = is_float<T>;
template <>
inline constexpr bool is_real<double> = true;
}  // namespace simt::detail

// clang-format off
#define SIMT_FLOAT_1(name) template <class T> requires simt::detail::is_float<T> inline T name(T x) noexcept { return __builtin_##name##f(x); }
#define SIMT_FLOAT_2(name) template <class T> requires simt::detail::is_float<T> inline T name(T x, T y) noexcept { return __builtin_##name##f(x, y); }
SIMT_FLOAT_1(acos)
SIMT_FLOAT_1(acosh)
SIMT_FLOAT_1(asin)
SIMT_FLOAT_1(asinh)
SIMT_FLOAT_1(atan)
SIMT_FLOAT_1(atanh)
SIMT_FLOAT_1(cbrt)
SIMT_FLOAT_1(ceil)
SIMT_FLOAT_1(cos)
SIMT_FLOAT_1(cosh)
SIMT_FLOAT_1(erf)
SIMT_FLOAT_1(erfc)
SIMT_FLOAT_1(exp)
SIMT_FLOAT_1(exp2)
SIMT_FLOAT_1(expm1)
SIMT_FLOAT_1(fabs)
SIMT_FLOAT_1(floor)
SIMT_FLOAT_1(lgamma)
SIMT_FLOAT_1(log)
SIMT_FLOAT_1(log10)
SIMT_FLOAT_1(log1p)
SIMT_FLOAT_1(log2)
SIMT_FLOAT_1(logb)
SIMT_FLOAT_1(nearbyint)
SIMT_FLOAT_1(rint)
SIMT_FLOAT_1(round)
SIMT_FLOAT_1(sin)
SIMT_FLOAT_1(sinh)
SIMT_FLOAT_1(sqrt)
SIMT_FLOAT_1(tan)
SIMT_FLOAT_1(tanh)
SIMT_FLOAT_1(tgamma)
SIMT_FLOAT_1(trunc)
SIMT_FLOAT_2(atan2)
SIMT_FLOAT_2(copysign)
SIMT_FLOAT_2(fdim)
SIMT_FLOAT_2(fmax)
SIMT_FLOAT_2(fmin)
SIMT_FLOAT_2(fmod)
SIMT_FLOAT_2(hypot)
SIMT_FLOAT_2(nextafter)
SIMT_FLOAT_2(pow)
SIMT_FLOAT_2(remainder)
#undef SIMT_FLOAT_1
#undef SIMT_FLOAT_2
#define SIMT_FLOAT template <class T> requires simt::detail::is_float<T> inline
SIMT_FLOAT T fma(T x, T y, T z) noexcept { return __builtin_fmaf(x, y, z); }
SIMT_FLOAT T ldexp(T x, int e) noexcept { return __builtin_ldexpf(x, e); }
SIMT_FLOAT T scalbn(T x, int e) noexcept { return __builtin_scalbnf(x, e); }
SIMT_FLOAT T frexp(T x, int* e) noexcept { return __builtin_frexpf(x, e); }
SIMT_FLOAT T modf(T x, T* whole) noexcept { return __builtin_modff(x, whole); }
SIMT_FLOAT int ilogb(T x) noexcept { return __builtin_ilogbf(x); }
SIMT_FLOAT long lrint(T x) noexcept { return __builtin_lrintf(x); }
SIMT_FLOAT long lround(T x) noexcept { return __builtin_lroundf(x); }
SIMT_FLOAT long long llrint(T x) noexcept { return __builtin_llrintf(x); }
SIMT_FLOAT long long llround(T x) noexcept { return __builtin_llroundf(x); }
#undef SIMT_FLOAT
#define SIMT_REAL template <class T> requires simt::detail::is_real<T> inline
SIMT_REAL bool isnan(T x) noexcept { return __builtin_isnan(x); }
SIMT_REAL bool isinf(T x) noexcept { return __builtin_isinf(x) != 0; }
SIMT_REAL bool isfinite(T x) noexcept { return __builtin_isfinite(x); }
SIMT_REAL bool isnormal(T x) noexcept { return __builtin_isnormal(x); }
SIMT_REAL bool signbit(T x) noexcept { return __builtin_signbit(x) != 0; }
SIMT_REAL bool isunordered(T x, T y) noexcept { return __builtin_isunordered(x, y); }
#undef SIMT_REAL

// max and min: mixed signed and unsigned operands give unsigned, mixed float and double give double.
#define SIMT_MAX_MIN(R, A, B) \
  inline constexpr R max(A a, B b) noexcept { return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); } \
  inline constexpr R min(A a, B b) noexcept { return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); }
SIMT_MAX_MIN(int, int, int)
SIMT_MAX_MIN(long, long, long)
SIMT_MAX_MIN(long long, long long, long long)
SIMT_MAX_MIN(unsigned int, unsigned int, unsigned int)
SIMT_MAX_MIN(unsigned int, int, unsigned int)
SIMT_MAX_MIN(unsigned int, unsigned int, int)
SIMT_MAX_MIN(unsigned long, unsigned long, unsigned long)
SIMT_MAX_MIN(unsigned long, long, unsigned long)
SIMT_MAX_MIN(unsigned long, unsigned long, long)
SIMT_MAX_MIN(unsigned long long, unsigned long long, unsigned long long)
SIMT_MAX_MIN(unsigned long long, long long, unsigned long long)
SIMT_MAX_MIN(unsigned long long, unsigned long long, long long)
#undef SIMT_MAX_MIN
// A NaN loses against a number.
inline float max(float a, float b) noexcept { return __builtin_fmaxf(a, b); }
inline float min(float a, float b) noexcept { return __builtin_fminf(a, b); }
inline double max(double a, double b) noexcept { return __builtin_fmax(a, b); }
inline double min(double a, double b) noexcept { return __builtin_fmin(a, b); }
inline double max(float a, double b) noexcept { return __builtin_fmax(a, b); }
inline double min(float a, double b) noexcept { return __builtin_fmin(a, b); }
inline double max(double a, float b) noexcept { return __builtin_fmax(a, b); }
inline double min(double a, float b) noexcept { return __builtin_fmin(a, b); }
inline constexpr unsigned int umax(unsigned int a, unsigned int b) noexcept { return max(a, b); }
inline constexpr unsigned int umin(unsigned int a, unsigned int b) noexcept { return min(a, b); }
inline constexpr long long llmax(long long a, long long b) noexcept { return max(a, b); }
inline constexpr long long llmin(long long a, long long b) noexcept { return min(a, b); }
inline constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) noexcept { return max(a, b); }
inline constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) noexcept { return min(a, b); }
// clang-format on

// Functions that only CUDA has.
extern "C" {
float rsqrtf(float x) noexcept;
double rsqrt(double x) noexcept;
float rcbrtf(float x) noexcept;
double rcbrt(double x) noexcept;
float sinpif(float x) noexcept;
double sinpi(double x) noexcept;
float cospif(float x) noexcept;
double cospi(double x) noexcept;
float erfinvf(float x) noexcept;
double erfinv(double x) noexcept;
float erfcinvf(float x) noexcept;
double erfcinv(double x) noexcept;
float erfcxf(float x) noexcept;
double erfcx(double x) noexcept;
float normcdff(float x) noexcept;
double normcdf(double x) noexcept;
float normcdfinvf(float x) noexcept;
double normcdfinv(double x) noexcept;
float rhypotf(float x, float y) noexcept;
double rhypot(double x, double y) noexcept;
float norm3df(float x, float y, float z) noexcept;
double norm3d(double x, double y, double z) noexcept;
float rnorm3df(float x, float y, float z) noexcept;
double rnorm3d(double x, double y, double z) noexcept;
float norm4df(float x, float y, float z, float w) noexcept;
double norm4d(double x, double y, double z, double w) noexcept;
float rnorm4df(float x, float y, float z, float w) noexcept;
double rnorm4d(double x, double y, double z, double w) noexcept;
float cyl_bessel_i0f(float x) noexcept;
double cyl_bessel_i0(double x) noexcept;
float cyl_bessel_i1f(float x) noexcept;
double cyl_bessel_i1(double x) noexcept;
float fdividef(float x, float y) noexcept;
double fdivide(double x, double y) noexcept;
float exp10f(float x) noexcept;
double exp10(double x) noexcept;
void sincosf(float x, float* sine, float* cosine) noexcept;
void sincos(double x, double* sine, double* cosine) noexcept;
void sincospif(float x, float* sine, float* cosine) noexcept;
void sincospi(double x, double* sine, double* cosine) noexcept;
}

// clang-format off
template <class T> requires simt::detail::is_float<T> inline T rsqrt(T x) noexcept { return rsqrtf(x); }
template <class T> requires simt::detail::is_float<T> inline T rcbrt(T x) noexcept { return rcbrtf(x); }
template <class T> requires simt::detail::is_float<T> inline T sinpi(T x) noexcept { return sinpif(x); }
template <class T> requires simt::detail::is_float<T> inline T cospi(T x) noexcept { return cospif(x); }
template <class T> requires simt::detail::is_float<T> inline T erfinv(T x) noexcept { return erfinvf(x); }
template <class T> requires simt::detail::is_float<T> inline T erfcinv(T x) noexcept { return erfcinvf(x); }
template <class T> requires simt::detail::is_float<T> inline T erfcx(T x) noexcept { return erfcxf(x); }
template <class T> requires simt::detail::is_float<T> inline T normcdf(T x) noexcept { return normcdff(x); }
template <class T> requires simt::detail::is_float<T> inline T cyl_bessel_i0(T x) noexcept { return cyl_bessel_i0f(x); }
template <class T> requires simt::detail::is_float<T> inline T cyl_bessel_i1(T x) noexcept { return cyl_bessel_i1f(x); }
// clang-format on
