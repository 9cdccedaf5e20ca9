// The authors' gate: whether a lesson's grader, reference, stub, mutants and texts are what the
// learner is owed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "course/course.h"
#include "run/grading.h"
#include "system/paths.h"
#include "verify/finding.h"

namespace grade {

struct GateOptions {
  std::optional<std::uint64_t> seed;  // of all runs; none: a fresh one each
  std::function<void(const std::string& what, std::size_t done, std::size_t of)> on_progress;
};

// Needs a Grading of one backend. Findings come in the order of the lessons.
Findings verify(const Paths& paths, const Course& course, const std::vector<const Lesson*>& lessons,
                Grading& grading, const GateOptions& options);

}  // namespace grade
