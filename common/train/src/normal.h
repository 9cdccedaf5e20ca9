// Normally distributed numbers that are the same on every machine: the standard library's
// distributions are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace train {

class Normal {
 public:
  Normal(std::uint64_t seed, std::uint64_t stream) : engine_(seed * 0x9e3779b97f4a7c15u + stream) {}

  // Box and Muller's way, one of the pair.
  float operator()(double mean, double deviation) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
    const double angle = 2.0 * std::numbers::pi * unit();
    return static_cast<float>(mean + deviation * radius * std::cos(angle));
  }

  std::vector<float> values(std::size_t count, double mean, double deviation) {
    std::vector<float> result(count);
    for (float& value : result) value = (*this)(mean, deviation);
    return result;
  }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace train
