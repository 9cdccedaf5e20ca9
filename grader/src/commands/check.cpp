// `grade check`: grades again whatever was passed, or everything.
#include <fmt/core.h>

#include "cli/command.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/finding.h"
#include "run/grading.h"
#include "run/pool.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Symbol;

class CheckCommand final : public Command {
 public:
  const char* name() const override { return "check"; }
  const char* summary() const override { return "Grade again everything that you passed"; }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.flag("--all", all_, "Every lesson, passed or not");
    options.choice("--backend", backend_, {"auto", "cpu", "cuda"},
                   "auto, cpu (all checks) or cuda (GPU alone)");
    options.flag("--fresh", fresh_, "Run even what has not changed since its last verdict");
  }

  Exit run(Context& context) override {
    const Progress progress = context.progress().read();
    std::vector<const Lesson*> lessons;
    for (const Lesson& lesson : context.course().lessons) {
      if (all_ || progress.passed(lesson.directory())) lessons.push_back(&lesson);
    }
    terminal::Terminal& out = terminal::out();
    if (lessons.empty()) {
      out.paragraph("Nothing is passed yet. `grade` shows where to begin.");
      return Exit::passed;
    }
    std::vector<GradeRequest> requests;
    for (const Lesson* lesson : lessons) {
      GradeRequest request;
      request.lesson = lesson;
      request.file = context.workspace().kernel(*lesson);
      request.fresh = fresh_;
      requests.push_back(request);
    }
    Grading grading(context.paths(), context.course(), backend_choice(backend_));
    grading.prepare(lessons);

    std::vector<GradeOutcome> outcomes(lessons.size());
    std::size_t done = 0;
    {
      terminal::StatusLine status;
      status.show("grading", done, lessons.size());
      for_each_parallel(
          lessons.size(), [&](std::size_t i) { outcomes[i] = grading.grade(requests[i]); },
          [&](std::size_t i) { status.show(lessons[i]->directory(), ++done, lessons.size()); });
    }

    Status worst = Status::passed;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < lessons.size(); ++i) {
      record(context, progress, *lessons[i], outcomes[i]);
      print(*lessons[i], outcomes[i]);
      if (outcomes[i].status == Status::passed) ++passed;
      worst = std::max(worst, outcomes[i].status);
    }
    out.line();
    out.line(fmt::format("{} of {} passed", passed, lessons.size()));
    return exit_code(worst);
  }

 private:
  // A pass of a file that was not recorded yet counts as an attempt; the rest changes nothing.
  static void record(Context& context, const Progress& before, const Lesson& lesson,
                     const GradeOutcome& outcome) {
    if (outcome.status != Status::passed) return;
    const auto known = before.lesson(lesson.directory()).last_pass;
    if (known && known->kernel_hash == outcome.kernel_hash) return;
    context.progress().record_attempt(lesson, attempt_of(outcome));
  }

  static void print(const Lesson& lesson, const GradeOutcome& outcome) {
    terminal::Terminal& out = terminal::out();
    const bool good = outcome.status == Status::passed;
    std::string text = fmt::format("{} {:03} {}",
                                   out.style(good ? Style::good : Style::bad,
                                             out.symbol(good ? Symbol::passed : Symbol::failed)),
                                   lesson.number, terminal::pad_right(lesson.title, 40));
    if (!good) {
      text += fmt::format(" {}", grade::name(outcome.status));
      for (const RunResult& run : outcome.runs) {
        if (run.status != outcome.status) continue;
        std::string why = run.reason;
        for (const CaseResult& each : run.cases) {
          if (why.empty() && each.status == "failed") why = each.name;
        }
        text += ": " + terminal::printable(why);
        break;
      }
    }
    out.line(terminal::truncate(text, out.columns()));
  }

  bool all_ = false;
  bool fresh_ = false;
  std::string backend_ = "auto";
};

const Registration<CheckCommand> check_command;

}  // namespace
}  // namespace grade
