// How long a step takes, on data and parameters that cost nothing to make.
#pragma once

#include "parallel/group.h"
#include "reporter.h"
#include "settings.h"

namespace train {

void bench(const Settings& settings, const parallel::Group& group, const Reporter& reporter);

}  // namespace train
