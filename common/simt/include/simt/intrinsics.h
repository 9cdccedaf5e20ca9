// Integer and floating-point intrinsics of device code. Conversions saturate and turn NaN into 0,
// as the hardware's do.
#pragma once

#include <stddef.h>

inline constexpr int __float_as_int(float x) noexcept {
  return __builtin_bit_cast(int, x);
}
inline constexpr unsigned int __float_as_uint(float x) noexcept {
  return __builtin_bit_cast(unsigned int, x);
}
inline constexpr float __int_as_float(int x) noexcept {
  return __builtin_bit_cast(float, x);
}
inline constexpr float __uint_as_float(unsigned int x) noexcept {
  return __builtin_bit_cast(float, x);
}
inline constexpr long long __double_as_longlong(double x) noexcept {
  return __builtin_bit_cast(long long, x);
}
inline constexpr double __longlong_as_double(long long x) noexcept {
  return __builtin_bit_cast(double, x);
}
inline constexpr int __popc(unsigned int x) noexcept {
  return __builtin_popcount(x);
}
inline constexpr int __popcll(unsigned long long x) noexcept {
  return __builtin_popcountll(x);
}
inline constexpr int __clz(int x) noexcept {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
inline constexpr int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline constexpr int __ffs(int x) noexcept {
  return __builtin_ffs(x);
}
inline constexpr int __ffsll(long long x) noexcept {
  return __builtin_ffsll(x);
}

unsigned int __brev(unsigned int x) noexcept;
unsigned long long __brevll(unsigned long long x) noexcept;
unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept;
unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) noexcept;
unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) noexcept;
unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept;
unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) noexcept;
unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept;
int __mul24(int x, int y) noexcept;
unsigned int __umul24(unsigned int x, unsigned int y) noexcept;
int __mulhi(int x, int y) noexcept;
unsigned int __umulhi(unsigned int x, unsigned int y) noexcept;
long long __mul64hi(long long x, long long y) noexcept;
unsigned long long __umul64hi(unsigned long long x, unsigned long long y) noexcept;
unsigned int __sad(int x, int y, unsigned int z) noexcept;
unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) noexcept;
int __hadd(int x, int y) noexcept;
int __rhadd(int x, int y) noexcept;
unsigned int __uhadd(unsigned int x, unsigned int y) noexcept;
unsigned int __urhadd(unsigned int x, unsigned int y) noexcept;
int __dp2a_lo(int a, int b, int c) noexcept;
unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) noexcept;
int __dp2a_hi(int a, int b, int c) noexcept;
unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) noexcept;
int __dp4a(int a, int b, int c) noexcept;
unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) noexcept;

float __fadd_rn(float x, float y) noexcept;
float __fsub_rn(float x, float y) noexcept;
float __fmul_rn(float x, float y) noexcept;
float __fdiv_rn(float x, float y) noexcept;
float __frcp_rn(float x) noexcept;
float __fsqrt_rn(float x) noexcept;
double __dadd_rn(double x, double y) noexcept;
double __dsub_rn(double x, double y) noexcept;
double __dmul_rn(double x, double y) noexcept;
double __ddiv_rn(double x, double y) noexcept;
double __drcp_rn(double x) noexcept;
double __dsqrt_rn(double x) noexcept;
float __fmaf_rn(float x, float y, float z) noexcept;
double __fma_rn(double x, double y, double z) noexcept;
float __fadd_rz(float x, float y) noexcept;
float __fsub_rz(float x, float y) noexcept;
float __fmul_rz(float x, float y) noexcept;
float __fdiv_rz(float x, float y) noexcept;
float __frcp_rz(float x) noexcept;
float __fsqrt_rz(float x) noexcept;
double __dadd_rz(double x, double y) noexcept;
double __dsub_rz(double x, double y) noexcept;
double __dmul_rz(double x, double y) noexcept;
double __ddiv_rz(double x, double y) noexcept;
double __drcp_rz(double x) noexcept;
double __dsqrt_rz(double x) noexcept;
float __fmaf_rz(float x, float y, float z) noexcept;
double __fma_rz(double x, double y, double z) noexcept;
float __fadd_ru(float x, float y) noexcept;
float __fsub_ru(float x, float y) noexcept;
float __fmul_ru(float x, float y) noexcept;
float __fdiv_ru(float x, float y) noexcept;
float __frcp_ru(float x) noexcept;
float __fsqrt_ru(float x) noexcept;
double __dadd_ru(double x, double y) noexcept;
double __dsub_ru(double x, double y) noexcept;
double __dmul_ru(double x, double y) noexcept;
double __ddiv_ru(double x, double y) noexcept;
double __drcp_ru(double x) noexcept;
double __dsqrt_ru(double x) noexcept;
float __fmaf_ru(float x, float y, float z) noexcept;
double __fma_ru(double x, double y, double z) noexcept;
float __fadd_rd(float x, float y) noexcept;
float __fsub_rd(float x, float y) noexcept;
float __fmul_rd(float x, float y) noexcept;
float __fdiv_rd(float x, float y) noexcept;
float __frcp_rd(float x) noexcept;
float __fsqrt_rd(float x) noexcept;
double __dadd_rd(double x, double y) noexcept;
double __dsub_rd(double x, double y) noexcept;
double __dmul_rd(double x, double y) noexcept;
double __ddiv_rd(double x, double y) noexcept;
double __drcp_rd(double x) noexcept;
double __dsqrt_rd(double x) noexcept;
float __fmaf_rd(float x, float y, float z) noexcept;
double __fma_rd(double x, double y, double z) noexcept;
float __frsqrt_rn(float x) noexcept;

int __float2int_rn(float x) noexcept;
unsigned int __float2uint_rn(float x) noexcept;
long long __float2ll_rn(float x) noexcept;
unsigned long long __float2ull_rn(float x) noexcept;
int __double2int_rn(double x) noexcept;
unsigned int __double2uint_rn(double x) noexcept;
long long __double2ll_rn(double x) noexcept;
unsigned long long __double2ull_rn(double x) noexcept;
float __int2float_rn(int x) noexcept;
float __uint2float_rn(unsigned int x) noexcept;
float __ll2float_rn(long long x) noexcept;
float __ull2float_rn(unsigned long long x) noexcept;
double __ll2double_rn(long long x) noexcept;
double __ull2double_rn(unsigned long long x) noexcept;
float __double2float_rn(double x) noexcept;
int __float2int_rz(float x) noexcept;
unsigned int __float2uint_rz(float x) noexcept;
long long __float2ll_rz(float x) noexcept;
unsigned long long __float2ull_rz(float x) noexcept;
int __double2int_rz(double x) noexcept;
unsigned int __double2uint_rz(double x) noexcept;
long long __double2ll_rz(double x) noexcept;
unsigned long long __double2ull_rz(double x) noexcept;
float __int2float_rz(int x) noexcept;
float __uint2float_rz(unsigned int x) noexcept;
float __ll2float_rz(long long x) noexcept;
float __ull2float_rz(unsigned long long x) noexcept;
double __ll2double_rz(long long x) noexcept;
double __ull2double_rz(unsigned long long x) noexcept;
float __double2float_rz(double x) noexcept;
int __float2int_ru(float x) noexcept;
unsigned int __float2uint_ru(float x) noexcept;
long long __float2ll_ru(float x) noexcept;
unsigned long long __float2ull_ru(float x) noexcept;
int __double2int_ru(double x) noexcept;
unsigned int __double2uint_ru(double x) noexcept;
long long __double2ll_ru(double x) noexcept;
unsigned long long __double2ull_ru(double x) noexcept;
float __int2float_ru(int x) noexcept;
float __uint2float_ru(unsigned int x) noexcept;
float __ll2float_ru(long long x) noexcept;
float __ull2float_ru(unsigned long long x) noexcept;
double __ll2double_ru(long long x) noexcept;
double __ull2double_ru(unsigned long long x) noexcept;
float __double2float_ru(double x) noexcept;
int __float2int_rd(float x) noexcept;
unsigned int __float2uint_rd(float x) noexcept;
long long __float2ll_rd(float x) noexcept;
unsigned long long __float2ull_rd(float x) noexcept;
int __double2int_rd(double x) noexcept;
unsigned int __double2uint_rd(double x) noexcept;
long long __double2ll_rd(double x) noexcept;
unsigned long long __double2ull_rd(double x) noexcept;
float __int2float_rd(int x) noexcept;
float __uint2float_rd(unsigned int x) noexcept;
float __ll2float_rd(long long x) noexcept;
float __ull2float_rd(unsigned long long x) noexcept;
double __ll2double_rd(long long x) noexcept;
double __ull2double_rd(unsigned long long x) noexcept;
float __double2float_rd(double x) noexcept;
double __int2double_rn(int x) noexcept;
double __uint2double_rn(unsigned int x) noexcept;
int __double2hiint(double x) noexcept;
int __double2loint(double x) noexcept;
double __hiloint2double(int hi, int lo) noexcept;

// The fast, less accurate functions: the error of __expf and __powf grows with the argument, as on
// the hardware, where they go through the base-2 units.
extern "C" {  // some of these names are glibc's too
float __fdividef(float x, float y) noexcept __asm__("simt_fast_fdividef");
float __expf(float x) noexcept __asm__("simt_fast_expf");
float __exp10f(float x) noexcept __asm__("simt_fast_exp10f");
float __log2f(float x) noexcept __asm__("simt_fast_log2f");
float __logf(float x) noexcept __asm__("simt_fast_logf");
float __log10f(float x) noexcept __asm__("simt_fast_log10f");
float __powf(float x, float y) noexcept __asm__("simt_fast_powf");
float __sinf(float x) noexcept __asm__("simt_fast_sinf");
float __cosf(float x) noexcept __asm__("simt_fast_cosf");
float __tanf(float x) noexcept __asm__("simt_fast_tanf");
float __tanhf(float x) noexcept __asm__("simt_fast_tanhf");
void __sincosf(float x, float* s, float* c) noexcept __asm__("simt_fast_sincosf");
}
float __saturatef(float x) noexcept;
