// A training run as a picture, legible on light and dark pages.
#pragma once

#include <string>

#include "train/training.h"

namespace grade {

// The loss curve (logarithmic), with the reference's beneath where there is one, and the experts'
// load before and after.
std::string training_svg(const Training& training, const Training* reference,
                         const std::string& title);

}  // namespace grade
