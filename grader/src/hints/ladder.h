// In which order a lesson's hints are told: first the one of the mistake that the last failure
// looks like, from there upwards, then those below it.
#pragma once

#include <vector>

#include "course/lesson.h"
#include "progress/progress.h"
#include "verify/mutant.h"

namespace grade {

struct HintLadder {
  std::vector<int> order;                  // all hints, from 1
  std::vector<const Mistake*> looks_like;  // of the lesson; known mistakes that fail in this way
  bool matched = false;                    // the grader itself named the (one) mistake
};

// `mutants` are the lesson's: each shows what its mistake is rejected for.
HintLadder hint_ladder(const Lesson& lesson, const LessonProgress& progress,
                       const std::vector<Mutant>& mutants);

}  // namespace grade
