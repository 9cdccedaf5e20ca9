// The layer's parameters in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "moe/types.h"

namespace train {

struct Parameters {
  std::vector<float> Wg, W1, b1, W2, b2;  // as in MoeParams

  // Calls f(array) for each, always in this order.
  template <class Self, class F>
  static void each(Self& self, F f) {
    f(self.Wg);
    f(self.W1);
    f(self.b1);
    f(self.W2);
    f(self.b2);
  }
};

// Whether all are numbers, and none infinite.
bool is_finite(const Parameters& parameters);

// All zero, in the shapes of `config`.
Parameters zero_parameters(const MoeConfig& config);
// Where training starts: normal weights that keep the size of what passes through them, biases 0,
// and a router that prefers nobody by much.
Parameters initial_parameters(const MoeConfig& config, std::uint64_t seed);

}  // namespace train
