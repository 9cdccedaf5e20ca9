// What a graded run shows first, in one word for progress.json and in words for people.
#pragma once

#include <string>

#include "progress/progress.h"
#include "run/grading.h"

namespace grade {

// What progress keeps of a run.
Attempt attempt_of(const GradeOutcome& outcome);

// "race" as "data race": a diagnostic's kind, "value" or a status.
std::string finding_in_words(const std::string& finding);

}  // namespace grade
