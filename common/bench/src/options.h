// The command line of a benchmark program.
#pragma once

#include <string>
#include <vector>

#include "session.h"

namespace bench {

extern const char* const usage;

// Throws std::invalid_argument, which names what is wrong.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace bench
