// Whether `grade bench` has something to count, and whether the predictions it asks for are right.
#pragma once

#include "course/lesson.h"
#include "run/grading.h"
#include "verify/finding.h"

namespace grade {

// On the CPU backend: runs the lesson's bench case on its reference.
void check_bench_case(const Grading& grading, const Lesson& lesson,
                      const std::filesystem::path& reference, Findings& findings);

}  // namespace grade
