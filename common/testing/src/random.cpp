#include "testing/random.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace testing {
namespace {

std::uint64_t hash(std::string_view text) {  // FNV-1a
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return value;
}

std::mt19937_64 engine(std::uint64_t seed, std::uint64_t name, int index) {
  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32),
                      static_cast<std::uint32_t>(index)};
  return std::mt19937_64(words);
}

template <class T, class F>
std::vector<T> repeat(std::size_t count, F draw) {
  std::vector<T> values(count);
  for (T& value : values) value = draw();
  return values;
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view name, int index)
    : engine_(engine(seed, hash(name), index)) {}

// The standard's distributions may differ between libraries, so they are not used.
double Random::unit() {
  return static_cast<double>(engine_() >> 11) * 0x1p-53;
}

int Random::integer(int least, int most) {
  const double span = static_cast<double>(most) - least + 1;
  return static_cast<int>(least + std::floor(unit() * span));
}

float Random::value() {
  return (coin() ? 1.0f : -1.0f) * uniform(0.5f, 2.0f);
}

float Random::uniform(float least, float most) {
  return static_cast<float>(least + unit() * (static_cast<double>(most) - least));
}

float Random::normal(float mean, float deviation) {
  const double radius = std::sqrt(-2 * std::log(1 - unit()));
  return static_cast<float>(mean + deviation * radius * std::cos(2 * std::numbers::pi * unit()));
}

std::vector<float> Random::values(std::size_t count) {
  return repeat<float>(count, [&] { return value(); });
}

std::vector<float> Random::uniforms(std::size_t count, float least, float most) {
  return repeat<float>(count, [&] { return uniform(least, most); });
}

std::vector<float> Random::normals(std::size_t count, float mean, float deviation) {
  return repeat<float>(count, [&] { return normal(mean, deviation); });
}

std::vector<float> Random::whole_numbers(std::size_t count, int least, int most) {
  return repeat<float>(count, [&] { return static_cast<float>(integer(least, most)); });
}

std::vector<int> Random::integers(std::size_t count, int least, int most) {
  return repeat<int>(count, [&] { return integer(least, most); });
}

std::vector<int> Random::permutation(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(integer(0, i))]);
  }
  return order;
}

std::vector<float> Random::extremes(std::size_t count, float largest) {
  return repeat<float>(count, [&]() -> float {
    const float sign = coin() ? 1.0f : -1.0f;
    switch (integer(0, 7)) {
      case 0:
        return sign * 0.0f;
      case 1:  // denormal
        return sign * std::bit_cast<float>(static_cast<std::uint32_t>(integer(1, 0x7fffff)));
      case 2:
        return sign * 0x1p-126f;
      case 3:
        return sign * largest * uniform(0.5f, 1.0f);
      case 4:
        return sign * std::nextafter(1.0f, coin() ? 2.0f : 0.0f);
      default:
        return value();
    }
  });
}

}  // namespace testing
