// What --timeout says.
#pragma once

#include <chrono>

namespace grade {

// Throws Error(usage) for what is no sensible time.
std::chrono::milliseconds time_limit(double seconds);

}  // namespace grade
