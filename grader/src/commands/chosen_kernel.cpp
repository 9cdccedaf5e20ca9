#include "commands/chosen_kernel.h"

#include <fmt/core.h>

#include "system/paths.h"
#include "workspace/workspace.h"

namespace grade {

namespace fs = std::filesystem;

fs::path chosen_kernel(Context& context, const Lesson& lesson, bool solution,
                       const std::string& file) {
  if (solution) return context.paths().solutions() / lesson.directory() / "kernel.cu";
  if (file.empty()) return context.workspace().kernel(lesson);
  fs::path given = fs::absolute(file).lexically_normal();
  if (!fs::is_regular_file(given)) {
    throw Error(Exit::usage, fmt::format("there is no file {}", file),
                "--file takes the path of a .cu file.");
  }
  return given;
}

}  // namespace grade
