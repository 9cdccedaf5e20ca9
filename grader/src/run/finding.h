// What a graded run shows first, in one word for progress.json and in words for people.
#pragma once

#include <string>
#include <string_view>

#include "progress/progress.h"
#include "run/grading.h"

namespace grade {

// What progress keeps of a run.
Attempt attempt_of(const GradeOutcome& outcome);

// "race" as "data race": a diagnostic's kind, "value" or a status.
std::string finding_in_words(const std::string& finding);

// The words at the head of a report that tell its kind already, as the runtime's do; else "".
std::string_view kind_at_head(const std::string& kind, std::string_view report);

}  // namespace grade
