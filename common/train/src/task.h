// A task with something to divide: regions of unequal size, each with an affine target of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "moe/types.h"

namespace train {

struct Task {
  std::vector<float> X;       // [T,D]
  std::vector<float> target;  // [T,D]
};

// Four regions in the ratio 5:1:1:1. A token is its region's centre plus noise; its target is
// M x + v, with the region's own matrix M and vector v. The same on every machine for a seed.
Task make_task(const MoeConfig& config, std::uint64_t seed);

}  // namespace train
