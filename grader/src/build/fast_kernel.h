// A lesson's fast kernel: solutions/NNN_slug/fast.cu, and what the comment at its top says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "system/paths.h"

namespace grade {

struct FastKernel {
  std::filesystem::path file;
  bool exists = false;
  // The compute capability that a line `// needs-gpu: 9.0` names: it takes what the CPU runtime and
  // older GPUs lack.
  std::string needs_gpu;
  std::vector<std::string> calls;  // directories of lessons: `// calls: 029_expert_up ...`
};

// Throws Error where a name in `// calls:` is none of an earlier lesson.
FastKernel fast_kernel(const Paths& paths, const std::string& lesson);

// What becomes part of a lesson's fast kernel on a backend: the fast kernels that it calls, and
// those that they call, where the backend has them (cmake/Lessons.cmake does the same).
std::vector<std::string> fast_parts(const Paths& paths, const std::string& lesson, Backend backend);

}  // namespace grade
