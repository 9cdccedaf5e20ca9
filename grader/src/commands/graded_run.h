// What `grade LESSON` and `grade watch` do with a verdict on the learner's own kernel.
#pragma once

#include <string>

#include "course/course.h"
#include "progress/store.h"
#include "run/grading.h"
#include "terminal/terminal.h"

namespace grade {

// Records the attempt and returns the XP that it earned; `after` is the progress as saved. A
// remembered verdict that is recorded already is no attempt.
int record_run(ProgressStore& store, const Lesson& lesson, const GradeOutcome& outcome,
               const Progress& before, Progress& after);

// "+5 XP, 15 of 260 XP"
std::string xp_line(const terminal::Terminal& out, const Course& course, const Progress& progress,
                    int earned);

}  // namespace grade
