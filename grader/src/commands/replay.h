// The command that grades or measures the same kernel once more, as a user has to type it.
#pragma once

#include <optional>
#include <string>

namespace grade {

// Whatever decides which kernel runs, and how. A seed is added by who knows it.
struct Replay {
  int lesson = 0;
  bool solution = false;
  std::string file = {};  // as given to --file
  bool mine = false;
  std::string backend = "auto";
  std::optional<double> timeout = {};  // where it is not the default
};

// "./grade 7 --file 'my kernel.cu'"; for a command other than run "./grade bench 7".
std::string replay(const Replay& what, const std::string& command = {});

}  // namespace grade
