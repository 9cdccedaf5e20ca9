// Inputs that a learner cannot know: an instructor's secret from which each lesson gets a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "course/lesson.h"

namespace grade::classroom {

class HiddenSeed {
 public:
  // `given` is a number, or the path of a file whose content is the secret; where it is empty, the
  // environment variable GRADE_HIDDEN_SEED is the secret itself. Nothing where both are empty.
  // Afterwards the variable is gone, so that no child of this process sees it. Throws Error(usage).
  static std::optional<HiddenSeed> find(const std::string& given);

  explicit HiddenSeed(std::string secret) : secret_(std::move(secret)) {}

  // 64 bits. Whoever learns one lesson's seed has not learnt another's.
  std::uint64_t of(const Lesson& lesson) const;

 private:
  std::string secret_;
};

}  // namespace grade::classroom
