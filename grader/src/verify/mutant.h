// Wrong kernels that a grader must reject: grader/mutants/NNN_slug/NAME.cu, each with a header:
//   // mistake: slug of an entry under the lesson's mistakes, or a free name
//   // why: one sentence
//   // rejected-for: value, race, out_of_bounds, ...   (any of them will do)
//   // rejected-on: both | cpu
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/lesson.h"
#include "verify/finding.h"

namespace grade {

struct Mutant {
  std::filesystem::path file;
  std::string name;
  std::string mistake;
  std::string why;
  std::vector<std::string> rejected_for;
  bool cpu_only = false;
};

// All of a lesson's, by name. What is wrong with a header is added to `findings`.
std::vector<Mutant> read_mutants(const std::filesystem::path& folder, const Lesson& lesson,
                                 Findings& findings);

// At least four, one for every mistake of the front matter, no name that is almost a slug.
void check_mutant_names(const Lesson& lesson, const std::vector<Mutant>& mutants,
                        Findings& findings);

}  // namespace grade
