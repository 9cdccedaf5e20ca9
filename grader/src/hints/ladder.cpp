#include "hints/ladder.h"

#include <algorithm>

namespace grade {
namespace {

// Wrong values alone can come from anything.
bool tells_something(const std::string& finding) {
  return !finding.empty() && finding != "value";
}

bool shows_as(const Mistake& mistake, const std::string& finding,
              const std::vector<Mutant>& mutants) {
  return std::any_of(mutants.begin(), mutants.end(), [&](const Mutant& mutant) {
    return mutant.mistake == mistake.slug &&
           std::find(mutant.rejected_for.begin(), mutant.rejected_for.end(), finding) !=
               mutant.rejected_for.end();
  });
}

}  // namespace

HintLadder hint_ladder(const Lesson& lesson, const LessonProgress& progress,
                       const std::vector<Mutant>& mutants) {
  HintLadder ladder;
  for (const Mistake& mistake : lesson.mistakes) {
    if (!progress.last_mistake.empty() && mistake.slug == progress.last_mistake) {
      ladder.looks_like = {&mistake};
      ladder.matched = true;
    }
  }
  if (!ladder.matched && tells_something(progress.last_finding)) {
    for (const Mistake& mistake : lesson.mistakes) {
      if (shows_as(mistake, progress.last_finding, mutants)) ladder.looks_like.push_back(&mistake);
    }
  }
  const int count = static_cast<int>(lesson.hints.size());
  int first = count;
  for (const Mistake* mistake : ladder.looks_like)
    first = std::min(first, mistake->hint.value_or(0));
  if (first >= count) first = 0;
  for (int i = 0; i < count; ++i) ladder.order.push_back((first + i) % count + 1);
  return ladder;
}

}  // namespace grade
