#include "bench/routing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

Routing route(Random& random, int T, int E, int K, Loads loads) {
  Routing result;
  const auto pairs = static_cast<std::size_t>(T) * static_cast<std::size_t>(K);
  result.experts.reserve(pairs);
  for (int t = 0; t < T; ++t) {
    const std::size_t first = result.experts.size();
    for (int k = 0; k < K && loads == Loads::even; ++k) result.experts.push_back((t * K + k) % E);
    while (result.experts.size() < first + static_cast<std::size_t>(K)) {
      // E^u - 1 for a uniform u has a density in proportion to 1 / (1 + e).
      const int e = loads == Loads::skewed
                        ? static_cast<int>(std::pow(E + 1.0, random.uniform(0, 1)) - 1) % E
                        : random.below(E);
      const auto begin = result.experts.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::find(begin, result.experts.end(), e) == result.experts.end()) {
        result.experts.push_back(e);
      }
    }
  }
  result.counts.assign(static_cast<std::size_t>(E), 0);
  for (const int e : result.experts) ++result.counts[static_cast<std::size_t>(e)];
  result.offsets.assign(1, 0);
  for (const int count : result.counts) result.offsets.push_back(result.offsets.back() + count);
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  result.slot_of_pair.resize(pairs);
  result.pair_of_slot.resize(pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    const int slot = next[static_cast<std::size_t>(result.experts[p])]++;
    result.slot_of_pair[p] = slot;
    result.pair_of_slot[static_cast<std::size_t>(slot)] = static_cast<int>(p);
  }
  return result;
}

}  // namespace bench
