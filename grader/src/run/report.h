// Tells a learner how a run went.
#pragma once

#include <filesystem>
#include <string>

#include "course/course.h"
#include "run/grading.h"
#include "system/paths.h"
#include "terminal/terminal.h"

namespace grade {

struct ReportInput {
  const Paths* paths = nullptr;
  const Lesson* lesson = nullptr;
  std::filesystem::path file;   // the path graded
  bool learners_own = false;    // lessons/NNN_slug/kernel.cu
  bool untouched_stub = false;  // nothing was filled in yet
  std::string replay;           // commands/replay.h: repeats the run, but for its seed
  const GradeOutcome* outcome = nullptr;
};

// The verdict, all but what follows from it for the progress.
void print_report(terminal::Terminal& out, const ReportInput& input);

}  // namespace grade
