// Intrinsics against what the hardware's manual says of them.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <climits>
#include <cmath>

TEST_CASE("bits") {
  CHECK(__popc(0xF0F0u) == 8);
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(8) == 4);
  CHECK(__brev(1u) == 0x80000000u);
  CHECK(__brevll(1ull) == 0x8000000000000000ull);
  CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u);
  CHECK(__funnelshift_l(0x80000000u, 1u, 1u) == 3u);
  CHECK(__funnelshift_r(1u, 1u, 1u) == 0x80000000u);
  CHECK(__funnelshift_lc(5u, 7u, 40u) == 5u);
  CHECK(__float_as_int(1.0f) == 0x3f800000);
  CHECK(__int_as_float(0x40000000) == 2.0f);
}

TEST_CASE("the n-th set bit from a bit on") {
  const unsigned mask = 0b1011'0100u;  // 2, 4, 5, 7
  CHECK(__fns(mask, 0, 1) == 2u);
  CHECK(__fns(mask, 2, 1) == 2u);  // the bit itself counts
  CHECK(__fns(mask, 3, 1) == 4u);
  CHECK(__fns(mask, 0, 4) == 7u);
  CHECK(__fns(mask, 0, 5) == 0xffffffffu);
  CHECK(__fns(mask, 31, -1) == 7u);
  CHECK(__fns(mask, 5, -3) == 2u);
  CHECK(__fns(mask, 5, -4) == 0xffffffffu);
  CHECK(__fns(mask, 4, 0) == 4u);
  CHECK(__fns(mask, 3, 0) == 0xffffffffu);
  CHECK(__fns(0x80000000u, 0, 1) == 31u);
  CHECK(__fns(0, 0, 1) == 0xffffffffu);
}

TEST_CASE("products and sums") {
  CHECK(__mulhi(INT_MIN, 2) == -1);
  CHECK(__umulhi(0x80000000u, 4u) == 2u);
  CHECK(__mul24(-3, 5) == -15);
  CHECK(__umul64hi(1ull << 63, 4ull) == 2ull);
  CHECK(__hadd(INT_MAX, INT_MAX) == INT_MAX);
  CHECK(__rhadd(1, 2) == 2);
  CHECK(__sad(-5, 5, 1u) == 11u);
  CHECK(__dp4a(0x01020304, 0x01010101, 10) == 20);
  CHECK(__dp2a_lo(0x0003ffff, 0x7f7f02fe, 10) == 10 + 3 * 2 + 2);
  CHECK(__dp2a_hi(0x0003ffff, 0x02fe7f7f, 10) == 10 + 3 * 2 + 2);
  CHECK(__dp2a_lo(0x0003ffffu, 0x000002feu, 10u) == 10u + 3u * 2u + 0xffffu * 0xfeu);
  CHECK(__dp2a_hi(0x0003ffffu, 0x02fe0000u, 10u) == 10u + 3u * 2u + 0xffffu * 0xfeu);
}

TEST_CASE("conversions saturate") {
  CHECK(__float2int_rz(3e9f) == INT_MAX);
  CHECK(__float2int_rz(-3e9f) == INT_MIN);
  CHECK(__float2int_rz(NAN) == 0);
  CHECK(__float2uint_rz(-1.0f) == 0u);
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_ru(2.1f) == 3);
  CHECK(__float2int_rd(-2.1f) == -3);
}

TEST_CASE("rounding modes") {
  CHECK(__fadd_ru(1.0f, 1e-10f) > 1.0f);
  CHECK(__fadd_rd(1.0f, 1e-10f) == 1.0f);
  CHECK(__fadd_rz(1.0f, -1e-10f) < 1.0f);
  CHECK(__fdiv_rn(1.0f, 3.0f) == 1.0f / 3.0f);
  CHECK(__int2float_ru(16777217) == 16777218.0f);
  CHECK(__int2float_rz(16777217) == 16777216.0f);
  CHECK(__fmaf_rn(2.0f, 3.0f, 1.0f) == 7.0f);
}

TEST_CASE("fast functions are near") {
  CHECK(__expf(1.0f) == doctest::Approx(std::exp(1.0)).epsilon(1e-6));
  CHECK(__logf(10.0f) == doctest::Approx(std::log(10.0)).epsilon(1e-6));
  CHECK(__powf(2.0f, 10.0f) == doctest::Approx(1024).epsilon(1e-6));
  CHECK(__fdividef(1.0f, 4.0f) == 0.25f);
  CHECK(__saturatef(1.5f) == 1.0f);
  CHECK(__saturatef(NAN) == 0.0f);
}
