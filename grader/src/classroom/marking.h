// Grades one file that was handed in, with public inputs and, where there is a secret, hidden ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "classroom/hidden_seed.h"
#include "classroom/results.h"
#include "classroom/submissions.h"
#include "run/grading.h"

namespace grade::classroom {

struct MarkingOptions {
  std::optional<std::uint64_t> seed;
  std::optional<HiddenSeed> hidden;
  bool fresh = false;
  std::chrono::milliseconds timeout{20'000};
  int shards = 1;
};

// Never throws: what keeps one file from being graded must not disturb the others.
Mark mark_submission(const Grading& grading, const Submission& submission,
                     const MarkingOptions& options);

Mark missing(const Lesson& lesson, const std::string& reason);

}  // namespace grade::classroom
