// Small helper programs (git, diff, a compiler's --version). Learners' code runs elsewhere, with
// limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grade {

struct Captured {
  int exit = -1;       // the exit status, 128 + signal when killed
  std::string output;  // stdout only
};

// Runs the program found on PATH with `input` (at most 64 KiB, what a pipe holds) on stdin and
// stderr at /dev/null. Empty when it cannot be started.
std::optional<Captured> capture(const std::vector<std::string>& command,
                                std::string_view input = {});

// The full path of a program on PATH, or empty.
std::string find_program(const std::string& name);

}  // namespace grade
