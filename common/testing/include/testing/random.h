// Random inputs from the run's seed: the same seed and case give the same numbers on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace testing {

class Random {
 public:
  // A stream of its own for each name and index, so that cases do not depend on each other.
  Random(std::uint64_t seed, std::string_view name, int index = 0);

  double unit();                     // in [0, 1)
  int integer(int least, int most);  // both included
  bool coin() { return unit() < 0.5; }

  // A sign and a size in [0.5, 2): nothing near 0, no two alike but by chance.
  float value();
  float uniform(float least, float most);
  float normal(float mean = 0, float deviation = 1);

  std::vector<float> values(std::size_t count);
  std::vector<float> uniforms(std::size_t count, float least, float most);
  std::vector<float> normals(std::size_t count, float mean = 0, float deviation = 1);
  std::vector<float> whole_numbers(std::size_t count, int least, int most);  // as floats
  std::vector<int> integers(std::size_t count, int least, int most);
  std::vector<int> permutation(int count);  // of 0 .. count-1

  // Picks from both ends of the floats: +-0, denormals, the smallest and largest normal numbers,
  // 1 and its neighbours, and ordinary values. No NaN, no infinity.
  std::vector<float> extremes(std::size_t count, float largest = 1e18f);

 private:
  std::mt19937_64 engine_;
};

}  // namespace testing
