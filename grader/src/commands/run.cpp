// `grade LESSON`: grades a lesson's kernel and records what came of it.
#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "cli/command.h"
#include "cli/time_limit.h"
#include "commands/chosen_kernel.h"
#include "commands/graded_run.h"
#include "commands/replay.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/grading.h"
#include "run/json.h"
#include "run/last_run.h"
#include "run/report.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;

class RunCommand final : public Command {
 public:
  const char* name() const override { return "run"; }
  const char* summary() const override { return "Grade a lesson (the same as `grade LESSON`)"; }
  int order() const override { return 10; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.choice("--backend", backend_, {"auto", "cpu", "cuda"},
                   "auto, cpu (all checks) or cuda (GPU alone)");
    options.option("--seed", seed_, "N", "Repeat the inputs of an earlier run");
    options.flag("--fresh", fresh_, "Run even if nothing changed since the last verdict");
    options.flag("--mine", mine_, "Call your own earlier kernels, not the references");
    options.flag("--solution", solution_, "Grade the reference; records nothing");
    options.option("--file", file_, "PATH",
                   "Grade this file in the lesson's place; records nothing");
    options.excludes("--file", "--solution");
    options.option("--timeout", timeout_, "SECONDS", "Seconds that the grader may run");
    options.flag("--json", json_, "Print one JSON object and nothing else");
  }

  Exit run(Context& context) override {
    time_limit(timeout_);  // before anything is done
    if (!json_) return grade(context);
    try {
      return grade(context);
    } catch (const Error& error) {
      if (error.exit() != Exit::usage) {
        terminal::out().line(json_unavailable(lesson_, backend_, error.what()));
      }
      throw;
    }
  }

 private:
  static constexpr double kSeconds = 20;

  std::string replay(const Lesson& lesson) const {
    Replay again{lesson.number, solution_, file_, mine_, backend_};
    if (timeout_ != kSeconds) again.timeout = timeout_;
    return grade::replay(again);
  }

  Exit grade(Context& context) {
    const Lesson& lesson = context.course().find(lesson_);
    ReportInput input;
    input.paths = &context.paths();
    input.lesson = &lesson;
    input.file = chosen_kernel(context, lesson, solution_, file_);
    input.learners_own = !solution_ && file_.empty();
    input.untouched_stub = input.learners_own && context.workspace().untouched(lesson);
    input.replay = replay(lesson);

    Grading grading(context.paths(), context.course(), backend_choice(backend_));
    grading.prepare({&lesson});
    const Progress progress = context.progress().read();
    GradeRequest request;
    request.lesson = &lesson;
    request.file = input.file;
    request.seed = seed_;
    request.fresh = fresh_;
    request.timeout = time_limit(timeout_);
    request.shards = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
    request.mine = mine_ ? &progress : nullptr;
    terminal::StatusLine status;
    std::mutex status_mutex;
    request.on_step = [&](const std::string& what) {
      const std::lock_guard lock(status_mutex);
      status.show(fmt::format("{:03}  {}", lesson.number, what));
    };
    const GradeOutcome outcome = grading.grade(request);
    status.clear();
    input.outcome = &outcome;

    int earned = 0;
    Progress after = progress;
    if (input.learners_own) {
      earned = record_run(context.progress(), lesson, outcome, progress, after);
    }
    if (input.learners_own && outcome.status != Status::unavailable) keep_last_run(input, earned);
    if (json_) {
      terminal::out().line(json_report(input, earned));
    } else {
      print_report(terminal::out(), input);
      print_next(context, input, earned, after);
    }
    return exit_code(outcome.status);
  }

  static void print_next(Context& context, const ReportInput& input, int earned,
                         const Progress& progress) {
    terminal::Terminal& out = terminal::out();
    const Lesson& lesson = *input.lesson;
    const Status status = input.outcome->status;
    out.line();
    if (!input.learners_own) {
      out.paragraph(out.style(Style::dim, "This was not your own kernel; nothing was recorded."));
      return;
    }
    if (status == Status::passed) {
      const Course& course = context.course();
      out.line(xp_line(out, course, progress, earned));
      if (lesson.verb == "optimize") {
        out.paragraph(fmt::format(
            "The goal beyond a pass, unscored: `grade bench {}` shows what your kernel costs.",
            lesson.number));
      }
      if (!lesson.quiz.empty()) {
        out.paragraph(
            fmt::format("Checkpoint: `grade quiz {}`. The reference to compare with: "
                        "`grade diff {}`.",
                        lesson.number, lesson.number));
      }
      if (const Lesson* next = next_lesson(course, progress)) {
        out.paragraph(fmt::format("Next: {:03} {}. Read `grade show {}`, then edit {}",
                                  next->number, next->title, next->number,
                                  context.paths().shown(next->kernel())));
      } else {
        out.line("Every lesson that this copy holds is passed.");
      }
      return;
    }
    if (status == Status::unavailable) {
      out.paragraph("`grade doctor` says what this machine has and what it lacks.");
      const bool only_gpu = input.outcome->runs.front().backend == Backend::cpu &&
                            input.outcome->runs.front().status != Status::unavailable;
      if (only_gpu) out.paragraph("`--backend cpu` grades without the GPU.");
      return;
    }
    if (input.untouched_stub) {
      out.paragraph(fmt::format(
          "This is still the stub as it came: fill in its TODOs in {} and run `grade {}` again. "
          "The notes: `grade show {}`.",
          context.paths().shown(input.file), lesson.number, lesson.number));
      return;
    }
    if (context.workspace().stub_change(lesson)) {
      out.paragraph(fmt::format(
          "An update has changed the stub since you began this file: `grade update {}` shows how.",
          lesson.number));
    }
    out.paragraph(fmt::format("Stuck? `grade hint {}` gives a nudge, `grade show {}` the notes.",
                              lesson.number, lesson.number));
  }

  std::string lesson_;
  std::string backend_ = "auto";
  std::optional<std::uint64_t> seed_;
  bool fresh_ = false;
  bool mine_ = false;
  bool solution_ = false;
  std::string file_;
  double timeout_ = kSeconds;
  bool json_ = false;
};

const Registration<RunCommand> run_command;

}  // namespace
}  // namespace grade
