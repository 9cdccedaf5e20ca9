// 16-bit arithmetic against exact results: the number returned must be the one nearest to the exact
// value, the even one of two that are equally near.
#include <doctest/doctest.h>
#include <simt/float16.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

__extension__ using Exact = __float128;
using Bits = unsigned short;
using simt::Rounding;

struct Format {
  float (*to_float)(Bits) noexcept;
  Bits (*add)(Bits, Bits) noexcept;
  Bits (*subtract)(Bits, Bits) noexcept;
  Bits (*multiply)(Bits, Bits) noexcept;
  Bits (*multiply_add)(Bits, Bits, Bits) noexcept;
  Bits (*from_float)(float, Rounding) noexcept;
  Bits infinity;
};
const Format formats[] = {
    {simt::binary16::to_float, simt::binary16::add, simt::binary16::subtract,
     simt::binary16::multiply, simt::binary16::multiply_add, simt::binary16::from_float, 0x7c00},
    {simt::bfloat16::to_float, simt::bfloat16::add, simt::bfloat16::subtract,
     simt::bfloat16::multiply, simt::bfloat16::multiply_add, simt::bfloat16::from_float, 0x7f80},
};

Exact distance(Exact a, Exact b) {
  return a < b ? b - a : a - b;
}

// The value of a magnitude's bits; infinity counts as the number that would follow the largest.
Exact value_of(const Format& format, unsigned magnitude) {
  if (magnitude < format.infinity) return format.to_float(static_cast<Bits>(magnitude));
  const Exact largest = format.to_float(static_cast<Bits>(format.infinity - 1));
  const Exact before = format.to_float(static_cast<Bits>(format.infinity - 2));
  return largest + (largest - before);
}

bool nearest(const Format& format, Bits result, Exact exact) {
  const unsigned magnitude = result & 0x7fff;
  const bool negative = (result & 0x8000) != 0;
  if (magnitude > format.infinity || (exact != 0 && (exact < 0) != negative)) return false;
  const Exact size = exact < 0 ? -exact : exact;
  if (magnitude == format.infinity && size >= value_of(format, magnitude)) return true;
  const Exact off = distance(value_of(format, magnitude), size);
  const bool even = magnitude % 2 == 0;
  if (magnitude > 0) {
    const Exact below = distance(value_of(format, magnitude - 1), size);
    if (below < off || (below == off && !even)) return false;
  }
  if (magnitude < format.infinity) {
    const Exact above = distance(value_of(format, magnitude + 1), size);
    if (above < off || (above == off && !even)) return false;
  }
  return true;
}

// Random numbers, many of them near each other in size.
std::vector<Bits> operands(const Format& format, std::size_t count) {
  std::mt19937 random(7);
  std::vector<Bits> values = {0, 0x8000, 1, 0x8001, static_cast<Bits>(format.infinity - 1)};
  while (values.size() < count) {
    const auto bits = static_cast<Bits>(random());
    if ((bits & 0x7fff) < format.infinity) values.push_back(bits);
  }
  return values;
}

}  // namespace

TEST_CASE("binary16: every number to float and back") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<Bits>(bits);
    const float value = simt::binary16::to_float(half);
    if (simt::binary16::is_nan(half)) {
      CHECK(std::isnan(value));
      continue;
    }
    CHECK(simt::binary16::from_float(value, Rounding::nearest) == half);
    CHECK(simt::binary16::from_float(value, Rounding::to_zero) == half);
#ifdef __FLT16_MANT_DIG__
    CHECK(value == static_cast<float>(std::bit_cast<_Float16>(half)));
#endif
  }
}

TEST_CASE("16-bit operations round once") {
  for (const Format& format : formats) {
    const std::vector<Bits> values = operands(format, 700);
    std::size_t wrong = 0;
    for (const Bits a : values) {
      for (const Bits b : values) {
        const Exact x = format.to_float(a);
        const Exact y = format.to_float(b);
        wrong += !nearest(format, format.add(a, b), x + y);
        wrong += !nearest(format, format.subtract(a, b), x - y);
        wrong += !nearest(format, format.multiply(a, b), x * y);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("16-bit multiply_add rounds once") {
  std::mt19937 random(11);
  for (const Format& format : formats) {
    const std::vector<Bits> values = operands(format, 3000);
    std::size_t wrong = 0;
    for (int i = 0; i < 400000; ++i) {
      const Bits a = values[random() % values.size()];
      const Bits b = values[random() % values.size()];
      Bits c = values[random() % values.size()];
      const Exact product = static_cast<Exact>(format.to_float(a)) * format.to_float(b);
      // An addend so small or so close that it decides a tie.
      if (i % 4 == 1) c = static_cast<Bits>(1 + random() % 4);
      if (i % 4 == 2) c = static_cast<Bits>(format.multiply(a, b) ^ 0x8000);
      if ((c & 0x7fff) >= format.infinity) continue;
      // 113 bits hold the sum unless its parts lie further apart than that.
      const Exact addend = format.to_float(c);
      const Exact ratio = addend == 0 ? 0 : distance(product / addend, 0);
      if (ratio > 0x1p90 || (ratio != 0 && ratio < 0x1p-90)) continue;
      const Exact sum = product + addend;
      wrong += !nearest(format, format.multiply_add(a, b, c), sum);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a product that is a tie, decided by an addend far below") {
  // 1.5 * (1 + 1/128 ...) in bfloat16: 15 bits of product, c = 2^-100.
  using namespace simt::bfloat16;
  const Bits a = from_float(1.0078125f, Rounding::nearest);
  const Bits b = from_float(1.5f, Rounding::nearest);
  const Bits product = multiply(a, b);  // 1.51171875, a tie
  const Bits tiny = from_float(0x1p-100f, Rounding::nearest);
  const Bits minus_tiny = static_cast<Bits>(tiny | 0x8000);
  CHECK(to_float(product) == 1.515625f - 0.0078125f * (product % 2 == 0 ? 0 : 1));
  CHECK(multiply_add(a, b, tiny) > multiply_add(a, b, minus_tiny));
}

TEST_CASE("float to 16 bits in each rounding mode") {
  std::mt19937 random(3);
  for (const Format& format : formats) {
    for (int i = 0; i < 200000; ++i) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (!std::isfinite(value)) continue;
      const Bits near = format.from_float(value, Rounding::nearest);
      const Bits down = format.from_float(value, Rounding::down);
      const Bits up = format.from_float(value, Rounding::up);
      const Bits zero = format.from_float(value, Rounding::to_zero);
      REQUIRE(nearest(format, near, value));
      REQUIRE(format.to_float(down) <= value);
      REQUIRE(format.to_float(up) >= value);
      REQUIRE(zero == (value < 0 ? up : down));
      REQUIRE((near == down || near == up));
    }
  }
}

TEST_CASE("special values of 16-bit numbers") {
  using namespace simt::binary16;
  const Bits one = 0x3c00;
  const Bits nan = 0x7e01;
  const Bits infinity = 0x7c00;
  CHECK(from_float(65519.0f, Rounding::nearest) == 0x7bff);
  CHECK(from_float(65520.0f, Rounding::nearest) == infinity);
  CHECK(from_float(1e30f, Rounding::to_zero) == 0x7bff);
  CHECK(from_float(0x1p-25f, Rounding::nearest) == 0);
  CHECK(from_float(0x1.8p-25f, Rounding::nearest) == 1);
  CHECK(from_float(NAN, Rounding::nearest) == 0x7fff);
  CHECK(add(infinity, 0xfc00) == 0x7fff);
  CHECK(maximum(nan, one) == one);
  CHECK(maximum_nan(nan, one) == 0x7fff);
  CHECK(maximum(0x8000, 0) == 0);
  CHECK(minimum(0, 0x8000) == 0x8000);
  CHECK_FALSE(equal(nan, nan));
  CHECK(equal(0, 0x8000));
  CHECK(saturate(0x4000) == one);
  CHECK(saturate(nan) == 0);
  CHECK(from_integer(-70000, Rounding::nearest) == 0xfc00);
  CHECK(from_unsigned(~0ull, Rounding::to_zero) == 0x7bff);
  CHECK(simt::bfloat16::from_integer((1ll << 62) + (1ll << 54) + 1, Rounding::nearest) ==
        simt::bfloat16::from_float(0x1.02p62f, Rounding::nearest));
  CHECK(simt::to_int(1e20f, Rounding::to_zero) == 0x7fffffff);
  CHECK(simt::to_int(NAN, Rounding::to_zero) == 0);
  CHECK(simt::to_unsigned_int(-3.0f, Rounding::to_zero) == 0);
  CHECK(simt::to_int(2.5f, Rounding::nearest) == 2);
  CHECK(simt::to_int(-2.5f, Rounding::down) == -3);
}
