// The best times of the learner's own kernels, kept in progress.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "progress/store.h"
#include "timing/timing.h"

namespace grade {

struct NewBest {
  BestTime best;
  double before = 0;  // seconds of the best until now; 0: there was none
};

// The times of "yours" that may be kept: with right results, beside a reference that is sound too,
// not above the roofline, and of no smoke run.
std::vector<BestTime> candidates(const Timing& timing, const std::string& kernel_hash);

// Keeps those that are better than what was known, and returns them.
std::vector<NewBest> keep_best(ProgressStore& store, std::string_view directory,
                               const Timing& timing, const std::string& kernel_hash);

}  // namespace grade
