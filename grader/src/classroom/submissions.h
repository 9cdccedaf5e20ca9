// Files that were handed in, outside the workbook. docs/teaching.md describes the layouts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/course.h"

namespace grade::classroom {

struct Submission {
  const Lesson* lesson = nullptr;
  std::filesystem::path file;
  std::string shown;  // relative to the folder of the class
};

struct HandedIn {
  std::string name;                     // of the student
  std::vector<Submission> submissions;  // by lesson, each lesson at most once
  std::vector<std::string> remarks;     // files that were left out, and why
};

// What the folder of a class holds, by student. Of `lessons` (none: all) only. With exactly one
// lesson, a file need not be named after it: STUDENT.cu, or the only .cu file in STUDENT/.
// Symbolic links are not followed. Throws Error(usage) when there is no such folder, or nothing in
// it.
std::vector<HandedIn> find_submissions(const std::filesystem::path& folder, const Course& course,
                                       const std::vector<const Lesson*>& lessons);

// What one student handed in: a folder as above, or a file, whose lesson is the only one of
// `lessons` or the one in its name. Throws Error(usage).
HandedIn single_submission(const std::filesystem::path& path, const Course& course,
                           const std::vector<const Lesson*>& lessons);

}  // namespace grade::classroom
