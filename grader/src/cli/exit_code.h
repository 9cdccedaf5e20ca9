// The exit codes of `grade`. Only `passed` ever earns XP.
#pragma once

namespace grade {

enum class Exit : int {
  passed = 0,
  failed = 1,         // tests failed or a diagnostic fired
  usage = 2,          // the command line was wrong, or names no lesson
  compile_error = 3,  // the kernel does not compile
  crashed = 4,        // crashed or timed out
  unavailable = 5,    // this machine, or this copy of the workbook, lacks something
};

}  // namespace grade
