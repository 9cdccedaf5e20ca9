// `grade bench` on a GPU: the learner's kernel timed beside the reference.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "commands/replay.h"
#include "course/lesson.h"

namespace grade {

struct TimedRun {
  const Lesson* lesson = nullptr;
  std::filesystem::path file;
  bool solution = false;      // the reference alone: `file` is not looked at
  bool learners_own = false;  // its best times are kept
  Replay again;               // grades the same kernel
  std::optional<std::uint64_t> seed;
  std::chrono::milliseconds timeout{};
  bool json = false;
};

Exit time_kernel(Context& context, const TimedRun& run);

}  // namespace grade
