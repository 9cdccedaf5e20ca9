#include "commands/lesson_view.h"

#include <fmt/core.h>

#include "progress/store.h"

namespace grade {

using terminal::Style;
using terminal::Terminal;

std::string effort_dots(int effort, const Terminal& out) {
  std::string dots;
  for (int i = 0; i < 4; ++i) {
    dots += i < effort ? out.symbol(terminal::Symbol::dot)
                       : (out.can().unicode ? std::string("○") : std::string("-"));
  }
  return dots;
}

std::string lesson_title(const Lesson& lesson, const Terminal& out) {
  return out.style(Style::bold, fmt::format("{:03}  {}", lesson.number, lesson.title));
}

void require_pass_or_spoil(const Lesson& lesson, ProgressStore& store, bool spoil,
                           const std::string& what, const std::string& command) {
  const LessonProgress progress = store.read().lesson(lesson.directory());
  if (progress.passed()) return;
  if (!spoil) {
    throw Error(
        Exit::usage,
        fmt::format("{} of lesson {} is shown once you have passed it", what, lesson.number),
        fmt::format(
            "`grade hint {}` gives a nudge. `grade {} {} --spoil` shows it all the same, and "
            "your progress will say so.",
            lesson.number, command, lesson.number));
  }
  if (!progress.spoiled) {
    store.update([&](Progress& all) { all.add_spoiler(lesson.directory()); });
    terminal::err().paragraph("! Recorded: the reference was seen before the first pass.", 2);
  }
}

}  // namespace grade
