// Read by the legality gate before anything else: the C library's functions that CUDA also offers
// to device code, declared for the device. They stand beside the host's own declarations, so that a
// <cmath> or <cstdio> read later finds both.
#pragma once

// clang has attributes for the words that nvcc adds.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
// The C++ library writes __attribute__((__noinline__)): a macro of that name must stand for
// nothing.
#if __clang_major__ < 15
#define __noinline__
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)

#ifndef GATE_LINKAGE
#define GATE_LINKAGE "C"
#endif

// clang-format off
#define GATE_FUNCTION_1(name) double name(double) noexcept; float name##f(float) noexcept;
#define GATE_FUNCTION_2(name) double name(double, double) noexcept; float name##f(float, float) noexcept;
// clang-format on

#pragma clang attribute push(__device__, apply_to = function)
extern GATE_LINKAGE {
  GATE_FUNCTION_1(acos)
  GATE_FUNCTION_1(acosh)
  GATE_FUNCTION_1(asin)
  GATE_FUNCTION_1(asinh)
  GATE_FUNCTION_1(atan)
  GATE_FUNCTION_1(atanh)
  GATE_FUNCTION_1(cbrt)
  GATE_FUNCTION_1(ceil)
  GATE_FUNCTION_1(cos)
  GATE_FUNCTION_1(cosh)
  GATE_FUNCTION_1(erf)
  GATE_FUNCTION_1(erfc)
  GATE_FUNCTION_1(exp)
  GATE_FUNCTION_1(exp2)
  GATE_FUNCTION_1(expm1)
  GATE_FUNCTION_1(fabs)
  GATE_FUNCTION_1(floor)
  GATE_FUNCTION_1(j0)
  GATE_FUNCTION_1(j1)
  GATE_FUNCTION_1(lgamma)
  GATE_FUNCTION_1(log)
  GATE_FUNCTION_1(log10)
  GATE_FUNCTION_1(log1p)
  GATE_FUNCTION_1(log2)
  GATE_FUNCTION_1(logb)
  GATE_FUNCTION_1(nearbyint)
  GATE_FUNCTION_1(rint)
  GATE_FUNCTION_1(round)
  GATE_FUNCTION_1(sin)
  GATE_FUNCTION_1(sinh)
  GATE_FUNCTION_1(sqrt)
  GATE_FUNCTION_1(tan)
  GATE_FUNCTION_1(tanh)
  GATE_FUNCTION_1(tgamma)
  GATE_FUNCTION_1(trunc)
  GATE_FUNCTION_1(y0)
  GATE_FUNCTION_1(y1)
  // Extensions that a C library may also declare.
  GATE_FUNCTION_1(cospi)
  GATE_FUNCTION_1(exp10)
  GATE_FUNCTION_1(rsqrt)
  GATE_FUNCTION_1(sinpi)
  GATE_FUNCTION_2(atan2)
  GATE_FUNCTION_2(copysign)
  GATE_FUNCTION_2(fdim)
  GATE_FUNCTION_2(fmax)
  GATE_FUNCTION_2(fmin)
  GATE_FUNCTION_2(fmod)
  GATE_FUNCTION_2(hypot)
  GATE_FUNCTION_2(nextafter)
  GATE_FUNCTION_2(pow)
  GATE_FUNCTION_2(remainder)

  double fma(double, double, double) noexcept;
  float fmaf(float, float, float) noexcept;
  double frexp(double, int*) noexcept;
  float frexpf(float, int*) noexcept;
  double ldexp(double, int) noexcept;
  float ldexpf(float, int) noexcept;
  double scalbn(double, int) noexcept;
  float scalbnf(float, int) noexcept;
  double scalbln(double, long) noexcept;
  float scalblnf(float, long) noexcept;
  double modf(double, double*) noexcept;
  float modff(float, float*) noexcept;
  double remquo(double, double, int*) noexcept;
  float remquof(float, float, int*) noexcept;
  double nan(const char*) noexcept;
  float nanf(const char*) noexcept;
  void sincos(double, double*, double*) noexcept;
  void sincosf(float, float*, float*) noexcept;
  int ilogb(double) noexcept;
  int ilogbf(float) noexcept;
  long lrint(double) noexcept;
  long lrintf(float) noexcept;
  long lround(double) noexcept;
  long lroundf(float) noexcept;
  long long llrint(double) noexcept;
  long long llrintf(float) noexcept;
  long long llround(double) noexcept;
  long long llroundf(float) noexcept;

  int abs(int) noexcept;
  long labs(long) noexcept;
  long long llabs(long long) noexcept;

  void* memcpy(void*, const void*, decltype(sizeof 0)) noexcept;
  void* memmove(void*, const void*, decltype(sizeof 0)) noexcept;
  void* memset(void*, int, decltype(sizeof 0)) noexcept;
  int memcmp(const void*, const void*, decltype(sizeof 0)) noexcept;
  void* malloc(decltype(sizeof 0)) noexcept;
  void free(void*) noexcept;

  int printf(const char* format, ...);
  [[noreturn]] void __assert_fail(const char* assertion, const char* file, unsigned int line,
                                  const char* function) noexcept;
  long clock() noexcept;
}
#pragma clang attribute pop

#undef GATE_FUNCTION_1
#undef GATE_FUNCTION_2
