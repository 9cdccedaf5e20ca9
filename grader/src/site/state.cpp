#include "site/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "site/html.h"
#include "system/clock.h"

namespace grade::site {

State state_of(const Lesson& lesson, const Progress& progress, const Lesson* next) {
  const LessonProgress state = progress.lesson(lesson.directory());
  if (state.passed()) return {"passed", "Passed"};
  if (state.attempts > 0) return {"tried", "Tried"};
  if (&lesson == next) return {"next", "Next"};
  return {"open", "Open"};
}

std::string state_mark(const State& state) {
  return fmt::format("<span class=\"mark {}\" role=\"img\" aria-label=\"{}\" title=\"{}\"></span>",
                     state.name, state.words, state.words);
}

std::string effort_marks(int effort) {
  std::string dots;
  for (int i = 0; i < 4; ++i) dots += i < effort ? "●" : "○";
  return fmt::format(
      "<span class=\"effort\" role=\"img\" aria-label=\"Effort {0} of 4\" title=\"Effort {0} of "
      "4\">{1}</span>",
      effort, dots);
}

int passed_in(const Course& course, const Progress& progress, int first, int last) {
  return static_cast<int>(
      std::count_if(course.lessons.begin(), course.lessons.end(), [&](const Lesson& lesson) {
        return first <= lesson.number && lesson.number <= last &&
               progress.passed(lesson.directory());
      }));
}

std::string count_of(int count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string bar(int done, int all, const std::string& what) {
  return fmt::format("<progress value=\"{}\" max=\"{}\" aria-label=\"{}\"></progress>", done, all,
                     escaped(what));
}

std::string shown_time(const std::string& utc) {
  const auto time = parse_utc_time(utc);
  return time ? local_time(*time) : utc;
}

}  // namespace grade::site
