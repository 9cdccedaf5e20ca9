#include "commands/graded_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "run/finding.h"

namespace grade {

int record_run(ProgressStore& store, const Lesson& lesson, const GradeOutcome& outcome,
               const Progress& before, Progress& after) {
  if (outcome.status == Status::unavailable) return 0;
  const bool cached = std::all_of(outcome.runs.begin(), outcome.runs.end(),
                                  [](const RunResult& run) { return run.cached; });
  const LessonProgress known = before.lesson(lesson.directory());
  const Attempt attempt = attempt_of(outcome);
  // A failure that looks like another one than the last is news to `grade hint`.
  const bool recorded = outcome.status == Status::passed
                            ? known.last_pass && known.last_pass->kernel_hash == outcome.kernel_hash
                            : known.attempts > 0 && known.last_mistake == attempt.mistake &&
                                  known.last_finding == attempt.finding;
  if (cached && recorded) return 0;
  const auto result = store.record_attempt(lesson, attempt);
  after = result.progress;
  return result.first_pass ? lesson.xp : 0;
}

std::string xp_line(const terminal::Terminal& out, const Course& course, const Progress& progress,
                    int earned) {
  return fmt::format("{} {} of {} XP",
                     earned > 0 ? out.style(terminal::Style::good, fmt::format("+{} XP,", earned))
                                : "Passed before:",
                     xp(course, progress), course.total_xp());
}

}  // namespace grade
