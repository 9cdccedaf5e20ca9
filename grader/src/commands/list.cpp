// `grade list`: every lesson and its state.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::pad_right;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class ListCommand final : public Command {
 public:
  const char* name() const override { return "list"; }
  const char* summary() const override { return "Every lesson and its state"; }
  int order() const override { return 20; }
  void configure(Options& /*options*/) override {}

  Exit run(Context& context) override {
    const Course& course = context.course();
    const Progress progress = context.progress().read();
    Terminal& out = terminal::out();
    const Lesson* next = next_lesson(course, progress);

    Widths widths;
    for (const Lesson& lesson : course.lessons) {
      widths.slug = std::max(widths.slug, terminal::width(lesson.slug));
      const std::string remark = remarks(lesson, progress.lesson(lesson.directory()));
      widths.remark = std::max(widths.remark, terminal::width(remark));
    }

    bool first = true;
    for (const Part& part : course.parts) {
      if (!first) out.line();
      first = false;
      out.paragraph(out.style(Style::heading, fmt::format("Part {}  {}", part.number, part.title)),
                    8);
      int missing_from = 0;
      for (int number = part.first; number <= part.last; ++number) {
        const Lesson* lesson = course.by_number(number);
        if (lesson == nullptr) {
          if (missing_from == 0) missing_from = number;
          continue;
        }
        print_missing(missing_from, number - 1, out);
        missing_from = 0;
        print_lesson(*lesson, progress.lesson(lesson->directory()), lesson == next, widths, out);
      }
      print_missing(missing_from, part.last, out);
    }
    out.line();
    out.paragraph(fmt::format("{} passed  {} tried  {} next  {} open     effort {}",
                              out.symbol(Symbol::passed), out.symbol(Symbol::failed),
                              out.symbol(Symbol::current), out.symbol(Symbol::todo),
                              effort_dots(1, out) + " to " + effort_dots(4, out)));
    return Exit::passed;
  }

 private:
  // Columns that the widest slug and the widest remark take.
  struct Widths {
    int slug = 0;
    int remark = 0;
  };

  static void print_missing(int from, int to, Terminal& out) {
    if (from == 0) return;
    const std::string range =
        from == to ? fmt::format("{:03}", from) : fmt::format("{:03} to {:03}", from, to);
    out.line(terminal::truncate(
        out.style(Style::dim, fmt::format("    {}  not in this copy", range)), out.columns()));
  }

  static std::string remarks(const Lesson& lesson, const LessonProgress& state) {
    std::vector<std::string> remarks;
    if (state.passed()) remarks.push_back(fmt::format("+{} XP", lesson.xp));
    if (!state.passed() && state.attempts > 0) {
      remarks.push_back(terminal::counted(state.attempts, "attempt", "attempts"));
    }
    if (const int hints = static_cast<int>(state.hints.size()); hints > 0) {
      remarks.push_back(terminal::counted(hints, "hint", "hints"));
    }
    if (state.spoiled) remarks.emplace_back("spoiled");
    return fmt::format("{}", fmt::join(remarks, ", "));
  }

  static void print_lesson(const Lesson& lesson, const LessonProgress& state, bool is_next,
                           const Widths& widths, Terminal& out) {
    std::string mark = out.style(Style::dim, out.symbol(Symbol::todo));
    if (state.passed()) {
      mark = out.style(Style::good, out.symbol(Symbol::passed));
    } else if (is_next) {
      mark = out.style(Style::accent, out.symbol(Symbol::current));
    } else if (state.attempts > 0) {
      mark = out.style(Style::bad, out.symbol(Symbol::failed));
    }
    const std::string remark = remarks(lesson, state);
    const int columns = out.columns();
    const std::string name = fmt::format("  {} {:03}  ", mark, lesson.number);
    // Wide: name, title, effort, remarks. Narrow: name and remarks.
    if (columns < 60) {
      std::string line = name + lesson.slug;
      if (!remark.empty()) line += "  " + remark;
      out.line(terminal::truncate(line, columns));
      return;
    }
    const int others = 9 + widths.slug + 2 + 2 + 4 + (widths.remark > 0 ? 2 + widths.remark : 0);
    const int title_columns = std::max(std::min(columns, 110) - others, 8);
    std::string line = name + pad_right(lesson.slug, widths.slug) + "  " +
                       pad_right(terminal::truncate(lesson.title, title_columns), title_columns) +
                       "  " + out.style(Style::dim, effort_dots(lesson.effort, out));
    if (!remark.empty()) line += "  " + remark;
    out.line(terminal::truncate(line, columns));
  }
};

const Registration<ListCommand> list_command;

}  // namespace
}  // namespace grade
