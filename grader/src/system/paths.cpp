#include "system/paths.h"

#include <cstdlib>

#include "cli/error.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "lessons" / "course.json", error);
}

fs::path root_above(fs::path folder) {
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (is_root(folder)) return folder;
    if (folder == folder.root_path()) break;
  }
  return {};
}

}  // namespace

fs::path Paths::progress() const {
  const char* chosen = std::getenv("GRADE_PROGRESS");
  if (chosen != nullptr && *chosen != '\0') return fs::absolute(chosen);
  return root / "progress.json";
}

std::string Paths::shown(const fs::path& path) const {
  return terminal::printable(typed(path));
}

std::string Paths::typed(const fs::path& path) const {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path relative = path.lexically_relative(root);
  const bool below = !relative.empty() && *relative.begin() != "..";
  if (error || !below) return path.string();
  // From inside the workbook the path from here is what a user can open.
  const fs::path from_here = path.lexically_relative(here);
  const fs::path inside = here.lexically_relative(root);
  if (!inside.empty() && *inside.begin() != "..") return from_here.string();
  return path.string();
}

Paths find_paths() {
  std::error_code error;
  Paths paths;
  paths.executable = fs::read_symlink("/proc/self/exe", error);

  if (const char* chosen = std::getenv("GRADE_ROOT"); chosen != nullptr && *chosen != '\0') {
    paths.root = fs::weakly_canonical(chosen, error);
    if (is_root(paths.root)) return paths;
    throw Error(
        Exit::unavailable,
        "GRADE_ROOT is " + std::string(chosen) + ", but there is no lessons/course.json in it",
        "Point it at the workbook's folder, or unset it.");
  }
  paths.root = root_above(paths.executable.parent_path());
  if (paths.root.empty()) paths.root = root_above(fs::current_path(error));
  if (paths.root.empty()) {
    throw Error(Exit::unavailable,
                "this is not inside the workbook: no lessons/course.json in the folders above " +
                    paths.executable.parent_path().string() + " or " +
                    fs::current_path(error).string(),
                "Change into the workbook's folder, or set GRADE_ROOT to it.");
  }
  return paths;
}

}  // namespace grade
