// `grade hint LESSON`: the next rung of the ladder; all of them after a pass.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "render/markdown.h"
#include "terminal/terminal.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Terminal;

class HintCommand final : public Command {
 public:
  const char* name() const override { return "hint"; }
  const char* summary() const override { return "The next hint; each call tells a little more"; }
  int order() const override { return 10; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("--all", all_, "All hints at once");
    options.flag("--seen", seen_, "Only those that you have seen");
  }

  Exit run(Context& context) override {
    const Lesson& lesson = context.course().find(lesson_);
    Terminal& out = terminal::out();
    const int count = static_cast<int>(lesson.hints.size());
    if (count == 0) {
      out.paragraph(fmt::format("Lesson {} has no hints.", lesson.number));
      return Exit::passed;
    }
    const LessonProgress progress = context.progress().read().lesson(lesson.directory());
    const int known = std::min(progress.hints, count);

    int first = known;  // of the hints printed, counted from 0
    int last = known;
    if (seen_) {
      first = 0;
      last = known - 1;
      if (known == 0) {
        out.paragraph(fmt::format("You have seen no hint of lesson {} yet.", lesson.number));
        return Exit::passed;
      }
    } else if (all_ || progress.passed() || known == count) {
      first = 0;
      last = count - 1;
    }

    out.paragraph(lesson_title(lesson, out), 5);
    for (int i = first; i <= last; ++i) print_hint(lesson, i, out);
    out.line();
    if (last + 1 < count) {
      out.paragraph(out.style(Style::dim,
                              fmt::format("`grade hint {}` once more tells more.", lesson.number)));
    } else if (!progress.passed()) {
      out.paragraph(out.style(
          Style::dim,
          fmt::format(
              "That was the last one. The notes on this: grade show {} --section implementation",
              lesson.number)));
    }
    out.flush();
    if (!progress.passed() && last >= known) {
      context.progress().update([&](Progress& all) { all.add_hint(lesson.directory(), last + 1); });
    }
    return Exit::passed;
  }

 private:
  static void print_hint(const Lesson& lesson, int index, Terminal& out) {
    out.line();
    out.line(
        out.style(Style::accent, fmt::format("Hint {} of {}", index + 1, lesson.hints.size())));
    for (const std::string& line : render_markdown(lesson.hints[static_cast<std::size_t>(index)],
                                                   std::min(out.columns(), 80) - 2, out)) {
      out.line(line.empty() ? line : "  " + line);
    }
  }

  std::string lesson_;
  bool all_ = false;
  bool seen_ = false;
};

const Registration<HintCommand> hint_command;

}  // namespace
}  // namespace grade
