// `grade`: where the learner is and what comes next.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::pad_left;
using terminal::pad_right;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class DashboardCommand final : public Command {
 public:
  const char* name() const override { return "dashboard"; }
  const char* summary() const override {
    return "Your parts, XP and next lesson (also: grade alone)";
  }
  int order() const override { return 20; }
  void configure(Options& /*options*/) override {}

  Exit run(Context& context) override {
    const Course& course = context.course();
    const Progress progress = context.progress().read();
    Terminal& out = terminal::out();

    out.line(out.style(Style::heading, course.title));
    out.paragraph(out.style(Style::dim, course.line));
    out.line();
    print_parts(course, progress, out);
    out.line();
    print_totals(course, progress, out);
    out.line();
    print_next(context, course, progress, out);
    return Exit::passed;
  }

 private:
  static int passed_in(const Course& course, const Progress& progress, int first, int last) {
    return static_cast<int>(
        std::count_if(course.lessons.begin(), course.lessons.end(), [&](const Lesson& lesson) {
          return first <= lesson.number && lesson.number <= last &&
                 progress.passed(lesson.directory());
        }));
  }

  static void print_parts(const Course& course, const Progress& progress, const Terminal& out) {
    Terminal& printer = terminal::out();
    int longest = 0;
    for (const Part& part : course.parts) longest = std::max(longest, terminal::width(part.title));
    // "  1  title  bar  12/13": what is left of the line goes to the title, then to the bar.
    const int columns = std::min(out.columns(), 80);
    constexpr int fixed = 2 + 1 + 2 + 2 + 2 + 5;
    const int bar = std::clamp(columns - fixed - longest, 6, 24);
    const int title = std::clamp(columns - fixed - bar, 4, longest);
    for (const Part& part : course.parts) {
      const int passed = passed_in(course, progress, part.first, part.last);
      const bool done = passed == part.count();
      const std::string mark = done ? out.style(Style::good, out.symbol(Symbol::passed)) : " ";
      printer.line(fmt::format("{} {}  {}  {}  {}", mark, part.number,
                               pad_right(terminal::truncate(part.title, title), title),
                               out.bar(static_cast<double>(passed) / part.count(), bar),
                               pad_left(fmt::format("{}/{}", passed, part.count()), 5)));
    }
  }

  static void print_totals(const Course& course, const Progress& progress, Terminal& out) {
    const int earned = xp(course, progress);
    const int passed = passed_in(course, progress, 1, course.lesson_count());
    int minutes = 0;
    for (int number = 1; number <= course.lesson_count(); ++number) {
      const Lesson* lesson = course.by_number(number);
      if (lesson == nullptr || !progress.passed(lesson->directory())) {
        minutes += lesson == nullptr ? 5 : lesson->minutes;
      }
    }
    std::string text =
        fmt::format("{} of {} XP  ·  {} of {} complete  ·  {:.0f} %",
                    out.style(Style::bold, std::to_string(earned)), course.total_xp(), passed,
                    course.lesson_count(), 100.0 * passed / course.lesson_count());
    if (minutes > 0) text += fmt::format("  ·  {:.1f} hours of reading left", minutes / 60.0);
    const int days = streak(progress);
    if (days > 1) text += fmt::format("  ·  {} days in a row", days);
    out.paragraph(text);
  }

  static void print_next(Context& context, const Course& course, const Progress& progress,
                         Terminal& out) {
    const Lesson* next = next_lesson(course, progress);
    if (next == nullptr) {
      if (static_cast<int>(course.lessons.size()) < course.lesson_count()) {
        out.paragraph(fmt::format(
            "{} All {} lessons of this copy are passed. An update brings the next ones.",
            out.style(Style::good, out.symbol(Symbol::passed)), course.lessons.size()));
      } else {
        const auto completed = progress.completion();
        out.paragraph(out.style(Style::good, out.symbol(Symbol::passed)) +
                      (completed ? fmt::format(" Complete. Your own layer trained: its loss went "
                                               "from {:.4g} to {:.4g} in {} ({}).",
                                               completed->first_loss, completed->last_loss,
                                               terminal::counted(completed->steps, "step", "steps"),
                                               completed->time.substr(0, 10))
                                 : " All lessons passed: the whole layer is yours. "
                                   "`grade train --mine` trains it."));
      }
      return;
    }
    const LessonProgress state = progress.lesson(next->directory());
    out.paragraph(
        fmt::format("{} Next: {}  {}  {} min", out.style(Style::accent, out.symbol(Symbol::arrow)),
                    lesson_title(*next, out), effort_dots(next->effort, out), next->minutes),
        2);
    const auto suggest = [&](const std::string& command, const std::string& what) {
      out.paragraph("  " + pad_right(terminal::command() + " " + command, 18) + "  " + what, 20);
    };
    if (passed_in(course, progress, 1, course.lesson_count()) == 0 && !state.touched()) {
      suggest("show start", "what the first lesson takes for granted");
    }
    suggest(fmt::format("show {}", next->number), "the notes");
    suggest(fmt::format("{}", next->number),
            "grade " + out.path(next->kernel().string(), context.paths().root.string()));
    if (state.attempts > 0) {
      suggest(fmt::format("hint {}", next->number), "a nudge");
    }
  }
};

const Registration<DashboardCommand> dashboard_command;

}  // namespace
}  // namespace grade
