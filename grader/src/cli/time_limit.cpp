#include "cli/time_limit.h"

#include "cli/error.h"

namespace grade {

std::chrono::milliseconds time_limit(double seconds) {
  if (!(seconds >= 0.1 && seconds <= 86400)) {
    throw Error(Exit::usage, "--timeout takes 0.1 to 86400 seconds");
  }
  return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
}

}  // namespace grade
