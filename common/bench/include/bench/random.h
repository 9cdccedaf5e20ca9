// Inputs that differ everywhere and are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  int below(int end) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(end)); }
  float uniform(float low, float high) {
    return low + (high - low) * (static_cast<float>(engine_() >> 40) * 0x1p-24f);
  }
  std::vector<float> uniform(std::size_t count, float low, float high) {
    std::vector<float> values(count);
    for (float& each : values) each = uniform(low, high);
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bench
