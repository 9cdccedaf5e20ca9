// `grade hint LESSON`: the next rung of the ladder, which begins with what the last failure looks
// like; all of them after a pass.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "hints/ladder.h"
#include "progress/store.h"
#include "render/markdown.h"
#include "run/finding.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "verify/mutant.h"

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
    if (lesson.hints.empty()) {
      out.paragraph(fmt::format("Lesson {} has no hints.", lesson.number));
      return Exit::passed;
    }
    const LessonProgress progress = context.progress().read().lesson(lesson.directory());
    Findings unused;
    const HintLadder ladder =
        hint_ladder(lesson, progress,
                    read_mutants(context.paths().mutants() / lesson.directory(), lesson, unused));
    const auto seen = [&](int hint) {
      return std::find(progress.hints.begin(), progress.hints.end(), hint) != progress.hints.end();
    };
    std::vector<int> told;  // now, from 1
    if (seen_) {
      std::copy_if(ladder.order.begin(), ladder.order.end(), std::back_inserter(told), seen);
      if (told.empty()) {
        out.paragraph(fmt::format("You have seen no hint of lesson {} yet.", lesson.number));
        return Exit::passed;
      }
    } else if (!all_ && !progress.passed()) {
      const auto next = std::find_if_not(ladder.order.begin(), ladder.order.end(), seen);
      if (next != ladder.order.end()) told = {*next};
    }
    if (told.empty()) told = ladder.order;
    if (told.size() > 1) std::sort(told.begin(), told.end());

    out.paragraph(lesson_title(lesson, out), 5);
    if (!progress.passed()) print_failure(lesson, progress, ladder, out);
    for (const int hint : told) print_hint(lesson, hint, out);
    out.line();
    const auto left = std::count_if(ladder.order.begin(), ladder.order.end(), [&](int hint) {
      return !seen(hint) && std::find(told.begin(), told.end(), hint) == told.end();
    });
    if (left > 0) {
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
    if (!progress.passed() && !std::all_of(told.begin(), told.end(), seen)) {
      context.progress().update([&](Progress& all) {
        for (const int hint : told) all.add_hint(lesson.directory(), hint);
      });
    }
    return Exit::passed;
  }

 private:
  // What the last run was like, as far as it says something about the way out.
  static void print_failure(const Lesson& lesson, const LessonProgress& progress,
                            const HintLadder& ladder, Terminal& out) {
    if (progress.last_finding.empty()) return;
    const std::string where = fmt::format("grade show {} --section mistakes", lesson.number);
    out.line();
    if (ladder.matched) {
      out.paragraph(fmt::format("Your last run looks like a known mistake: {} (`{}`).",
                                out.style(Style::bold, ladder.looks_like.front()->title), where));
      return;
    }
    std::string text = fmt::format("Your last run: {}.",
                                   out.style(Style::bold, finding_in_words(progress.last_finding)));
    if (progress.last_finding == "compile_error") {
      text += " The compiler's message names the line; the hints are about the kernel itself.";
    }
    std::string titles;
    for (const Mistake* each : ladder.looks_like) {
      titles += (titles.empty() ? "" : "; ") + each->title;
    }
    if (!titles.empty()) {
      text += fmt::format(" Known mistakes that show so: {} (`{}`).", titles, where);
    }
    out.paragraph(text);
  }

  static void print_hint(const Lesson& lesson, int hint, Terminal& out) {
    out.line();
    out.line(out.style(Style::accent, fmt::format("Hint {} of {}", hint, lesson.hints.size())));
    for (const std::string& line : render_markdown(lesson.hints[static_cast<std::size_t>(hint - 1)],
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
