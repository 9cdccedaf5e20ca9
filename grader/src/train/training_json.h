// A training run as `grade train --json` prints it.
#pragma once

#include <string>

#include "train/training.h"

namespace grade {

// `kernels`: which of them trained: reference, fast, mine. With `reference`, its run is within.
std::string training_json(const Training& training, const char* kernels,
                          const Training* reference = nullptr);

}  // namespace grade
