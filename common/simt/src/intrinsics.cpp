#include "simt/intrinsics.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

// Evaluates under a rounding mode; the operands are volatile so that nothing is evaluated before.
template <class F>
auto rounded(int mode, F evaluate) {
  const int before = std::fegetround();
  std::fesetround(mode);
  auto result = evaluate();
  std::fesetround(before);
  return result;
}

template <class To, class From>
To saturated(From x) {
  if (std::isnan(x)) return 0;
  constexpr To low = std::numeric_limits<To>::min();
  constexpr To high = std::numeric_limits<To>::max();
  if (x <= static_cast<From>(low)) return low;
  if (x >= static_cast<From>(high)) return high;
  return static_cast<To>(x);
}

}  // namespace

// clang-format off
unsigned int __brev(unsigned int x) noexcept { unsigned int r = 0; for (unsigned i = 0; i < sizeof x * 8; ++i) r = (r << 1) | ((x >> i) & 1); return r; }
unsigned long long __brevll(unsigned long long x) noexcept { unsigned long long r = 0; for (unsigned i = 0; i < sizeof x * 8; ++i) r = (r << 1) | ((x >> i) & 1); return r; }
unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept { const int step = offset < 0 ? -1 : 1; int left = offset < 0 ? -offset : offset; if (offset == 0) return base < 32 && ((mask >> base) & 1) ? base : 0xffffffffu; for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) { if (((mask >> i) & 1) && --left == 0) return static_cast<unsigned>(i); } return 0xffffffffu; }
unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) noexcept { const std::uint64_t bytes = (static_cast<std::uint64_t>(y) << 32) | x; unsigned r = 0; for (unsigned i = 0; i < 4; ++i) { const unsigned s = (selector >> (4 * i)) & 0xf; unsigned b = static_cast<unsigned>(bytes >> (8 * (s & 7))) & 0xff; if (s & 8) b = (b & 0x80) ? 0xff : 0; r |= b << (8 * i); } return r; }
unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) noexcept { return static_cast<unsigned>((((static_cast<std::uint64_t>(hi) << 32) | lo) << (shift & 31)) >> 32); }
unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept { return static_cast<unsigned>((((static_cast<std::uint64_t>(hi) << 32) | lo) << (shift < 32 ? shift : 32)) >> 32); }
unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) noexcept { return static_cast<unsigned>(((static_cast<std::uint64_t>(hi) << 32) | lo) >> (shift & 31)); }
unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept { return static_cast<unsigned>(((static_cast<std::uint64_t>(hi) << 32) | lo) >> (shift < 32 ? shift : 32)); }
int __mul24(int x, int y) noexcept { return static_cast<int>(static_cast<std::int64_t>((x << 8) >> 8) * ((y << 8) >> 8)); }
unsigned int __umul24(unsigned int x, unsigned int y) noexcept { return static_cast<unsigned>(static_cast<std::uint64_t>(x & 0xffffff) * (y & 0xffffff)); }
int __mulhi(int x, int y) noexcept { return static_cast<int>((static_cast<std::int64_t>(x) * y) >> 32); }
unsigned int __umulhi(unsigned int x, unsigned int y) noexcept { return static_cast<unsigned>((static_cast<std::uint64_t>(x) * y) >> 32); }
long long __mul64hi(long long x, long long y) noexcept { return static_cast<long long>((static_cast<Wide>(x) * y) >> 64); }
unsigned long long __umul64hi(unsigned long long x, unsigned long long y) noexcept { return static_cast<unsigned long long>((static_cast<UnsignedWide>(x) * y) >> 64); }
unsigned int __sad(int x, int y, unsigned int z) noexcept { return z + static_cast<unsigned>(x > y ? static_cast<std::int64_t>(x) - y : static_cast<std::int64_t>(y) - x); }
unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) noexcept { return z + (x > y ? x - y : y - x); }
int __hadd(int x, int y) noexcept { return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1); }
int __rhadd(int x, int y) noexcept { return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1); }
unsigned int __uhadd(unsigned int x, unsigned int y) noexcept { return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y) >> 1); }
unsigned int __urhadd(unsigned int x, unsigned int y) noexcept { return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y + 1) >> 1); }
int __dp2a_lo(int a, int b, int c) noexcept { for (int i = 0; i < 2; ++i) c += static_cast<std::int16_t>(a >> (16 * i)) * static_cast<std::int8_t>(b >> (8 * i)); return c; }
unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) noexcept { for (int i = 0; i < 2; ++i) c += ((a >> (16 * i)) & 0xffff) * ((b >> (8 * i)) & 0xff); return c; }
int __dp2a_hi(int a, int b, int c) noexcept { return __dp2a_lo(a, b >> 16, c); }
unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) noexcept { return __dp2a_lo(a, b >> 16, c); }
int __dp4a(int a, int b, int c) noexcept { for (int i = 0; i < 4; ++i) c += static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i)); return c; }
unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) noexcept { for (int i = 0; i < 4; ++i) c += ((a >> (8 * i)) & 0xff) * ((b >> (8 * i)) & 0xff); return c; }
float __fadd_rn(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile float r = a + b; return r; }); }
float __fsub_rn(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile float r = a - b; return r; }); }
float __fmul_rn(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile float r = a * b; return r; }); }
float __fdiv_rn(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile float r = a / b; return r; }); }
float __frcp_rn(float x) noexcept { const volatile float a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = 1 / a; return r; }); }
float __fsqrt_rn(float x) noexcept { const volatile float a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = std::sqrt(a); return r; }); }
double __dadd_rn(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile double r = a + b; return r; }); }
double __dsub_rn(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile double r = a - b; return r; }); }
double __dmul_rn(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile double r = a * b; return r; }); }
double __ddiv_rn(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TONEAREST, [&] { const volatile double r = a / b; return r; }); }
double __drcp_rn(double x) noexcept { const volatile double a = x; return rounded(FE_TONEAREST, [&] { const volatile double r = 1 / a; return r; }); }
double __dsqrt_rn(double x) noexcept { const volatile double a = x; return rounded(FE_TONEAREST, [&] { const volatile double r = std::sqrt(a); return r; }); }
float __fmaf_rn(float x, float y, float z) noexcept { const volatile float a = x, b = y, c = z; return rounded(FE_TONEAREST, [&] { return std::fma(a, b, c); }); }
double __fma_rn(double x, double y, double z) noexcept { const volatile double a = x, b = y, c = z; return rounded(FE_TONEAREST, [&] { return std::fma(a, b, c); }); }
float __fadd_rz(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile float r = a + b; return r; }); }
float __fsub_rz(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile float r = a - b; return r; }); }
float __fmul_rz(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile float r = a * b; return r; }); }
float __fdiv_rz(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile float r = a / b; return r; }); }
float __frcp_rz(float x) noexcept { const volatile float a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = 1 / a; return r; }); }
float __fsqrt_rz(float x) noexcept { const volatile float a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = std::sqrt(a); return r; }); }
double __dadd_rz(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile double r = a + b; return r; }); }
double __dsub_rz(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile double r = a - b; return r; }); }
double __dmul_rz(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile double r = a * b; return r; }); }
double __ddiv_rz(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_TOWARDZERO, [&] { const volatile double r = a / b; return r; }); }
double __drcp_rz(double x) noexcept { const volatile double a = x; return rounded(FE_TOWARDZERO, [&] { const volatile double r = 1 / a; return r; }); }
double __dsqrt_rz(double x) noexcept { const volatile double a = x; return rounded(FE_TOWARDZERO, [&] { const volatile double r = std::sqrt(a); return r; }); }
float __fmaf_rz(float x, float y, float z) noexcept { const volatile float a = x, b = y, c = z; return rounded(FE_TOWARDZERO, [&] { return std::fma(a, b, c); }); }
double __fma_rz(double x, double y, double z) noexcept { const volatile double a = x, b = y, c = z; return rounded(FE_TOWARDZERO, [&] { return std::fma(a, b, c); }); }
float __fadd_ru(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile float r = a + b; return r; }); }
float __fsub_ru(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile float r = a - b; return r; }); }
float __fmul_ru(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile float r = a * b; return r; }); }
float __fdiv_ru(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile float r = a / b; return r; }); }
float __frcp_ru(float x) noexcept { const volatile float a = x; return rounded(FE_UPWARD, [&] { const volatile float r = 1 / a; return r; }); }
float __fsqrt_ru(float x) noexcept { const volatile float a = x; return rounded(FE_UPWARD, [&] { const volatile float r = std::sqrt(a); return r; }); }
double __dadd_ru(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile double r = a + b; return r; }); }
double __dsub_ru(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile double r = a - b; return r; }); }
double __dmul_ru(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile double r = a * b; return r; }); }
double __ddiv_ru(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_UPWARD, [&] { const volatile double r = a / b; return r; }); }
double __drcp_ru(double x) noexcept { const volatile double a = x; return rounded(FE_UPWARD, [&] { const volatile double r = 1 / a; return r; }); }
double __dsqrt_ru(double x) noexcept { const volatile double a = x; return rounded(FE_UPWARD, [&] { const volatile double r = std::sqrt(a); return r; }); }
float __fmaf_ru(float x, float y, float z) noexcept { const volatile float a = x, b = y, c = z; return rounded(FE_UPWARD, [&] { return std::fma(a, b, c); }); }
double __fma_ru(double x, double y, double z) noexcept { const volatile double a = x, b = y, c = z; return rounded(FE_UPWARD, [&] { return std::fma(a, b, c); }); }
float __fadd_rd(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile float r = a + b; return r; }); }
float __fsub_rd(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile float r = a - b; return r; }); }
float __fmul_rd(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile float r = a * b; return r; }); }
float __fdiv_rd(float x, float y) noexcept { const volatile float a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile float r = a / b; return r; }); }
float __frcp_rd(float x) noexcept { const volatile float a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = 1 / a; return r; }); }
float __fsqrt_rd(float x) noexcept { const volatile float a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = std::sqrt(a); return r; }); }
double __dadd_rd(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile double r = a + b; return r; }); }
double __dsub_rd(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile double r = a - b; return r; }); }
double __dmul_rd(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile double r = a * b; return r; }); }
double __ddiv_rd(double x, double y) noexcept { const volatile double a = x, b = y; return rounded(FE_DOWNWARD, [&] { const volatile double r = a / b; return r; }); }
double __drcp_rd(double x) noexcept { const volatile double a = x; return rounded(FE_DOWNWARD, [&] { const volatile double r = 1 / a; return r; }); }
double __dsqrt_rd(double x) noexcept { const volatile double a = x; return rounded(FE_DOWNWARD, [&] { const volatile double r = std::sqrt(a); return r; }); }
float __fmaf_rd(float x, float y, float z) noexcept { const volatile float a = x, b = y, c = z; return rounded(FE_DOWNWARD, [&] { return std::fma(a, b, c); }); }
double __fma_rd(double x, double y, double z) noexcept { const volatile double a = x, b = y, c = z; return rounded(FE_DOWNWARD, [&] { return std::fma(a, b, c); }); }
float __frsqrt_rn(float x) noexcept { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
int __float2int_rn(float x) noexcept { return saturated<int>(std::nearbyint(x)); }
unsigned int __float2uint_rn(float x) noexcept { return saturated<unsigned int>(std::nearbyint(x)); }
long long __float2ll_rn(float x) noexcept { return saturated<long long>(std::nearbyint(x)); }
unsigned long long __float2ull_rn(float x) noexcept { return saturated<unsigned long long>(std::nearbyint(x)); }
int __double2int_rn(double x) noexcept { return saturated<int>(std::nearbyint(x)); }
unsigned int __double2uint_rn(double x) noexcept { return saturated<unsigned int>(std::nearbyint(x)); }
long long __double2ll_rn(double x) noexcept { return saturated<long long>(std::nearbyint(x)); }
unsigned long long __double2ull_rn(double x) noexcept { return saturated<unsigned long long>(std::nearbyint(x)); }
float __int2float_rn(int x) noexcept { const volatile int a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __uint2float_rn(unsigned int x) noexcept { const volatile unsigned int a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ll2float_rn(long long x) noexcept { const volatile long long a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ull2float_rn(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = static_cast<float>(a); return r; }); }
double __ll2double_rn(long long x) noexcept { const volatile long long a = x; return rounded(FE_TONEAREST, [&] { const volatile double r = static_cast<double>(a); return r; }); }
double __ull2double_rn(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_TONEAREST, [&] { const volatile double r = static_cast<double>(a); return r; }); }
float __double2float_rn(double x) noexcept { const volatile double a = x; return rounded(FE_TONEAREST, [&] { const volatile float r = static_cast<float>(a); return r; }); }
int __float2int_rz(float x) noexcept { return saturated<int>(std::trunc(x)); }
unsigned int __float2uint_rz(float x) noexcept { return saturated<unsigned int>(std::trunc(x)); }
long long __float2ll_rz(float x) noexcept { return saturated<long long>(std::trunc(x)); }
unsigned long long __float2ull_rz(float x) noexcept { return saturated<unsigned long long>(std::trunc(x)); }
int __double2int_rz(double x) noexcept { return saturated<int>(std::trunc(x)); }
unsigned int __double2uint_rz(double x) noexcept { return saturated<unsigned int>(std::trunc(x)); }
long long __double2ll_rz(double x) noexcept { return saturated<long long>(std::trunc(x)); }
unsigned long long __double2ull_rz(double x) noexcept { return saturated<unsigned long long>(std::trunc(x)); }
float __int2float_rz(int x) noexcept { const volatile int a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __uint2float_rz(unsigned int x) noexcept { const volatile unsigned int a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ll2float_rz(long long x) noexcept { const volatile long long a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ull2float_rz(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = static_cast<float>(a); return r; }); }
double __ll2double_rz(long long x) noexcept { const volatile long long a = x; return rounded(FE_TOWARDZERO, [&] { const volatile double r = static_cast<double>(a); return r; }); }
double __ull2double_rz(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_TOWARDZERO, [&] { const volatile double r = static_cast<double>(a); return r; }); }
float __double2float_rz(double x) noexcept { const volatile double a = x; return rounded(FE_TOWARDZERO, [&] { const volatile float r = static_cast<float>(a); return r; }); }
int __float2int_ru(float x) noexcept { return saturated<int>(std::ceil(x)); }
unsigned int __float2uint_ru(float x) noexcept { return saturated<unsigned int>(std::ceil(x)); }
long long __float2ll_ru(float x) noexcept { return saturated<long long>(std::ceil(x)); }
unsigned long long __float2ull_ru(float x) noexcept { return saturated<unsigned long long>(std::ceil(x)); }
int __double2int_ru(double x) noexcept { return saturated<int>(std::ceil(x)); }
unsigned int __double2uint_ru(double x) noexcept { return saturated<unsigned int>(std::ceil(x)); }
long long __double2ll_ru(double x) noexcept { return saturated<long long>(std::ceil(x)); }
unsigned long long __double2ull_ru(double x) noexcept { return saturated<unsigned long long>(std::ceil(x)); }
float __int2float_ru(int x) noexcept { const volatile int a = x; return rounded(FE_UPWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __uint2float_ru(unsigned int x) noexcept { const volatile unsigned int a = x; return rounded(FE_UPWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ll2float_ru(long long x) noexcept { const volatile long long a = x; return rounded(FE_UPWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ull2float_ru(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_UPWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
double __ll2double_ru(long long x) noexcept { const volatile long long a = x; return rounded(FE_UPWARD, [&] { const volatile double r = static_cast<double>(a); return r; }); }
double __ull2double_ru(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_UPWARD, [&] { const volatile double r = static_cast<double>(a); return r; }); }
float __double2float_ru(double x) noexcept { const volatile double a = x; return rounded(FE_UPWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
int __float2int_rd(float x) noexcept { return saturated<int>(std::floor(x)); }
unsigned int __float2uint_rd(float x) noexcept { return saturated<unsigned int>(std::floor(x)); }
long long __float2ll_rd(float x) noexcept { return saturated<long long>(std::floor(x)); }
unsigned long long __float2ull_rd(float x) noexcept { return saturated<unsigned long long>(std::floor(x)); }
int __double2int_rd(double x) noexcept { return saturated<int>(std::floor(x)); }
unsigned int __double2uint_rd(double x) noexcept { return saturated<unsigned int>(std::floor(x)); }
long long __double2ll_rd(double x) noexcept { return saturated<long long>(std::floor(x)); }
unsigned long long __double2ull_rd(double x) noexcept { return saturated<unsigned long long>(std::floor(x)); }
float __int2float_rd(int x) noexcept { const volatile int a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __uint2float_rd(unsigned int x) noexcept { const volatile unsigned int a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ll2float_rd(long long x) noexcept { const volatile long long a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
float __ull2float_rd(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
double __ll2double_rd(long long x) noexcept { const volatile long long a = x; return rounded(FE_DOWNWARD, [&] { const volatile double r = static_cast<double>(a); return r; }); }
double __ull2double_rd(unsigned long long x) noexcept { const volatile unsigned long long a = x; return rounded(FE_DOWNWARD, [&] { const volatile double r = static_cast<double>(a); return r; }); }
float __double2float_rd(double x) noexcept { const volatile double a = x; return rounded(FE_DOWNWARD, [&] { const volatile float r = static_cast<float>(a); return r; }); }
double __int2double_rn(int x) noexcept { return x; }
double __uint2double_rn(unsigned int x) noexcept { return x; }
int __double2hiint(double x) noexcept { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32); }
int __double2loint(double x) noexcept { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
double __hiloint2double(int hi, int lo) noexcept { return std::bit_cast<double>((static_cast<std::uint64_t>(static_cast<unsigned>(hi)) << 32) | static_cast<unsigned>(lo)); }
extern "C" {
float __fdividef(float x, float y) noexcept { const float size = std::fabs(y); if (size > 0x1p126f && size < INFINITY) return std::isinf(x) ? NAN : 0.0f * x; return x / y; }
float __expf(float x) noexcept { return std::exp2(x * 1.4426950408889634f); }
float __exp10f(float x) noexcept { return std::exp2(x * 3.3219280948873623f); }
float __log2f(float x) noexcept { return std::log2(x); }
float __logf(float x) noexcept { return std::log2(x) * 0.69314718055994531f; }
float __log10f(float x) noexcept { return std::log2(x) * 0.30102999566398120f; }
float __powf(float x, float y) noexcept { return std::exp2(y * std::log2(x)); }
float __sinf(float x) noexcept { return std::sin(x); }
float __cosf(float x) noexcept { return std::cos(x); }
float __tanf(float x) noexcept { return std::sin(x) / std::cos(x); }
float __tanhf(float x) noexcept { return std::tanh(x); }
void __sincosf(float x, float* s, float* c) noexcept { *s = std::sin(x); *c = std::cos(x); }
}
float __saturatef(float x) noexcept { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
// clang-format on
