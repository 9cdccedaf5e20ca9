// What several commands show of a lesson.
#pragma once

#include <string>

#include "cli/error.h"
#include "course/course.h"
#include "progress/progress.h"
#include "terminal/terminal.h"

namespace grade {

// Four dots, `effort` of them full: "●●○○".
std::string effort_dots(int effort, const terminal::Terminal& out);

// "001  Matrix product: one thread per element", in bold.
std::string lesson_title(const Lesson& lesson, const terminal::Terminal& out);

// Throws Error(usage) unless the lesson is passed or `spoil` is set; records a spoiler in the
// latter case. `what` is what would be shown ("the reference").
class ProgressStore;
void require_pass_or_spoil(const Lesson& lesson, ProgressStore& store, bool spoil,
                           const std::string& what, const std::string& command);

}  // namespace grade
