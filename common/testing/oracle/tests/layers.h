// Random layers for the tests: shapes with empty experts, many experts, one token, ties.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moe/types.h"
#include "oracle/oracle.h"

namespace oracle_test {

using Doubles = std::vector<double>;

struct RandomLayer {
  MoeConfig config{};
  Doubles X, target;
  Doubles Wg, W1, b1, W2, b2;

  oracle::ParamInputs params() const { return {Wg, W1, b1, W2, b2}; }
};

// All shapes that the tests run over; every size differs where it can.
std::vector<MoeConfig> layer_shapes();
std::string describe(const MoeConfig& config);

// Normal deviates, rounded to floats so that binary32 kernels get the same numbers. With ReLU,
// drawn anew until no pre-activation lies within 0.01 of the kink. `tied`: columns of Wg repeat, so
// that exact ties are everywhere.
RandomLayer random_layer(const MoeConfig& config, std::uint64_t seed, bool tied = false);

}  // namespace oracle_test
