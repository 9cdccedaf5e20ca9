// The one exception that commands throw for what a user can mend. main() prints it and exits.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "cli/exit_code.h"

namespace grade {

// `what` says what happened and where ("cannot write progress.json: No space left on device");
// `next` says what to do about it, and may span lines. Neither ends with a newline.
class Error : public std::runtime_error {
 public:
  Error(Exit exit, const std::string& what, std::string next = {})
      : std::runtime_error(what), exit_(exit), next_(std::move(next)) {}

  Exit exit() const { return exit_; }
  const std::string& next() const { return next_; }

 private:
  Exit exit_;
  std::string next_;
};

}  // namespace grade
