// A program that has the terminal of `grade watch` until it ends.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "watch/keyboard.h"

namespace grade {

// Ctrl-C meanwhile is that program's; a signal that asks this one to end ends both, and is
// returned: else 0. Nothing where the program cannot be started.
std::optional<int> lend_terminal(Keyboard& keyboard, const std::filesystem::path& program,
                                 std::vector<std::string> arguments);

}  // namespace grade
