// Where things are. The root is the folder that holds lessons/course.json.
#pragma once

#include <filesystem>
#include <string>

namespace grade {

struct Paths {
  std::filesystem::path root;
  std::filesystem::path executable;  // of this process

  std::filesystem::path lessons() const { return root / "lessons"; }
  std::filesystem::path solutions() const { return root / "solutions"; }
  std::filesystem::path mutants() const { return root / "grader" / "mutants"; }
  std::filesystem::path variants() const { return root / "grader" / "variants"; }
  std::filesystem::path docs() const { return root / "docs"; }
  std::filesystem::path state() const { return root / ".grade"; }  // git-ignored
  std::filesystem::path backups() const { return state() / "backups"; }
  std::filesystem::path progress() const;  // GRADE_PROGRESS, else root/progress.json
  // The path as a user would type it from the current folder: relative when it lies below the
  // root, else absolute.
  std::string typed(const std::filesystem::path& path) const;
  // The same to look at: without control characters that a name may hold.
  std::string shown(const std::filesystem::path& path) const;
};

// GRADE_ROOT where set, else upwards from the executable, else upwards from the current folder.
// Throws Error(unavailable) when none holds a course.
Paths find_paths();

}  // namespace grade
