#include "testing/oracle.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "testing/random.h"

using namespace testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// As a tensor core rounds an operand: 10 bits of fraction.
float tf32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x1000) & 0xffffe000);
}

}  // namespace

TEST_CASE("a plain number is expected exactly") {
  const Expected three = 3;
  CHECK(three.admits(3));
  CHECK_FALSE(three.admits(std::nextafter(3.0f, 4.0f)));
  CHECK(Expected(0.0).admits(-0.0));
  CHECK(Expected(-0.0).admits(0.0));
}

TEST_CASE("NaN is admitted where NaN is expected, and nowhere else") {
  CHECK_FALSE(Expected(1.0, 1e9).admits(NAN));
  CHECK(Expected(static_cast<double>(NAN)).admits(NAN));
  CHECK_FALSE(Expected(static_cast<double>(NAN)).admits(1));
}

TEST_CASE("infinities") {
  CHECK(Expected(infinity).admits(infinity));
  CHECK_FALSE(Expected(infinity).admits(-infinity));
  CHECK_FALSE(Expected(1.0, 1e30).admits(infinity));
  CHECK_FALSE(Expected(infinity).admits(3e38));
  CHECK(Expected(1e39, 1.0).admits(infinity));  // overflows in binary32
}

TEST_CASE("every order of a float sum is within the bound") {
  Random random(1, "sum");
  for (const int n : {1, 2, 3, 17, 300, 5000}) {
    Sum sum;
    float forward = 0, fused = 0;
    std::vector<float> products;
    for (int i = 0; i < n; ++i) {
      const float a = random.value(), b = random.value();
      sum += static_cast<double>(a) * b;
      products.push_back(a * b);
      forward += a * b;
      fused = std::fma(a, b, fused);
    }
    float backward = 0;
    for (int i = n - 1; i >= 0; --i) backward += products[static_cast<std::size_t>(i)];
    const Expected expected = sum;
    CHECK(expected.admits(forward));
    CHECK(expected.admits(backward));
    CHECK(expected.admits(fused));
  }
}

TEST_CASE("one TF32 product a term is out of bounds for n <= 32, three are within") {
  Random random(2, "tf32");
  for (const int n : {1, 2, 8, 32}) {
    bool caught = false;
    for (int element = 0; element < 20; ++element) {
      Sum sum;
      float rounded_sum = 0, split_sum = 0;
      for (int i = 0; i < n; ++i) {
        const float a = random.value(), b = random.value();
        sum += static_cast<double>(a) * b;
        const float a_high = tf32(a), b_high = tf32(b);
        const float a_low = tf32(a - a_high), b_low = tf32(b - b_high);
        rounded_sum += a_high * b_high;
        split_sum += a_low * b_high;
        split_sum += a_high * b_low;
        split_sum += a_high * b_high;
      }
      const Expected expected = sum;
      caught = caught || !expected.admits(rounded_sum);
      CHECK(expected.admits(split_sum));
    }
    CHECK(caught);
  }
}

TEST_CASE("one rounding: the correctly rounded result passes, a flushed denormal does not") {
  Random random(3, "rounding");
  for (int i = 0; i < 1000; ++i) {
    const float a = random.value(), b = random.value();
    CHECK(rounded(static_cast<double>(a) + b).admits(a + b));
    CHECK(rounded(static_cast<double>(a) * b).admits(a * b));
    CHECK(rounded(static_cast<double>(a) / b).admits(a / b));
  }
  CHECK_FALSE(rounded(0x1p-149).admits(0));
  CHECK_FALSE(rounded(0x1p-130).admits(0));
  CHECK_FALSE(rounded(1.0).admits(1 + 0x1p-21));
}

TEST_CASE("exponential, tanh and softmax: expf and __expf pass, halves do not") {
  for (double x = -80; x <= 10; x += 0.37) {
    const double bound = bounds::exponential_relative(x) * std::exp(x);
    CHECK(Expected(std::exp(x), bound).admits(std::exp(static_cast<float>(x)) * (1 + 0x1p-22)));
    CHECK_FALSE(Expected(std::exp(x), bound).admits(std::exp(x) * (1 + 0x1p-10)));
  }
  for (double x = -6; x <= 6; x += 0.11) {
    const Expected expected(std::tanh(x), bounds::hyperbolic_tangent(x));
    const auto single = static_cast<float>(x);
    CHECK(expected.admits(std::tanh(single)));
    CHECK(expected.admits(1.0f - 2.0f / (1.0f + std::exp(2.0f * single))));
    if (std::abs(x) > 0.3) CHECK_FALSE(expected.admits(std::tanh(x) * (1 + 0x1p-11)));
  }
  const Expected share(0.25, bounds::softmax(0.25, 1, 1, 4));
  CHECK(share.admits(0.25 * (1 + 0x1p-21)));
  CHECK_FALSE(share.admits(0.25 * (1 + 0x1p-11)));
}
