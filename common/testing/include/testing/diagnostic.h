// What a check found, from the CPU runtime, from the wrapped CUDA calls or from the harness itself.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace testing {

struct Diagnostic {
  std::string kind;   // one of the kinds of `grade --json`: "race", "out_of_bounds", ...
  bool error = true;  // else a note, which does not fail a lesson
  std::string message;
  std::string kernel;  // empty for host code
  std::string file;
  int line = 0;  // 0: unknown
  std::string other_file;
  int other_line = 0;  // the earlier access of a race
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  std::size_t count = 1;
  // Of a race, where the backend knows: the array, and how far apart the two threads are.
  std::string array;
  enum class Reach { none, warp, block, grid } reach = Reach::none;

  bool is(std::string_view a_kind) const { return kind == a_kind; }
  // The thread's index along x through the whole grid, for blocks of `width` threads.
  long global_x(int width) const { return static_cast<long>(block[0]) * width + thread[0]; }
};

}  // namespace testing
