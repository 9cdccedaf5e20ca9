// `grade bench LESSON`: what a kernel costs, beside the reference: timed on a GPU, or counted by
// the CPU runtime.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/time_limit.h"
#include "commands/bench_table.h"
#include "commands/bench_timing.h"
#include "commands/chosen_kernel.h"
#include "commands/replay.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/grader_process.h"
#include "run/grading.h"
#include "run/report.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "timing/timer.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using terminal::Style;
using terminal::Symbol;

class BenchCommand final : public Command {
 public:
  const char* name() const override { return "bench"; }
  const char* summary() const override {
    return "What your kernel costs, beside the reference: time on a GPU, counts without";
  }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("--solution", solution_, "The reference alone");
    options.option("--file", file_, "PATH", "Take this file in the lesson's place");
    options.excludes("--file", "--solution");
    options.choice("--backend", backend_, {"auto", "cpu", "cuda"},
                   "cuda: times on the GPU; cpu: counts; auto: times where there is a GPU");
    options.option("--seed", seed_, "N", "Repeat the inputs of an earlier run");
    options.option("--timeout", timeout_, "SECONDS",
                   "Seconds that a run may take: 20, on a GPU 300");
    options.flag("--json", json_, "Print one JSON object and nothing else");
    options.footer(
        "With a GPU and nvcc: the time of one call, beside the reference, cuBLAS where it does the "
        "same, and the roofline measured in the same run. Results are checked before and after; a "
        "wrong kernel has no time. Your best times are kept.\n\n"
        "Without: memory traffic, coalescing, bank conflicts, divergence and barriers of one call, "
        "counted by the CPU runtime: a model's counts, not a profiler's, and no times. The kernel "
        "is graded first.");
  }

  Exit run(Context& context) override {
    if (timeout_) time_limit(*timeout_);  // before anything is done
    const Lesson& lesson = context.course().find(lesson_);
    const fs::path file = chosen_kernel(context, lesson, solution_, file_);
    std::vector<std::string> remarks;
    if (!times_here(context.paths(), context.course(), backend_choice(backend_), remarks)) {
      return count(context, lesson, file, remarks);
    }
    TimedRun timed;
    timed.lesson = &lesson;
    timed.file = file;
    timed.solution = solution_;
    timed.learners_own = learners_own();
    timed.again = Replay{.lesson = lesson.number, .solution = solution_, .file = file_};
    timed.seed = seed_;
    timed.timeout = time_limit(timeout_.value_or(kSecondsToTime));
    timed.json = json_;
    return time_kernel(context, timed);
  }

 private:
  static constexpr double kSecondsToCount = 20;
  static constexpr double kSecondsToTime = 300;

  bool learners_own() const { return !solution_ && file_.empty(); }

  // Counting grades on the CPU runtime alone.
  std::string grading_again(const Lesson& lesson) const {
    Replay again{lesson.number, solution_, file_, false, "cpu"};
    again.timeout = timeout_;
    return replay(again);
  }

  Exit count(Context& context, const Lesson& lesson, const fs::path& file,
             const std::vector<std::string>& remarks) {
    const fs::path reference = context.paths().solutions() / lesson.directory() / "kernel.cu";
    const std::chrono::milliseconds limit = time_limit(timeout_.value_or(kSecondsToCount));
    Grading grading(context.paths(), context.course(), BackendChoice::cpu);
    grading.prepare({&lesson});
    terminal::StatusLine status;
    status.show(fmt::format("{:03}  grading …", lesson.number));
    GradeRequest request;
    request.lesson = &lesson;
    request.file = file;
    request.timeout = limit;
    const GradeOutcome graded = grading.grade(request);
    if (graded.status != Status::passed && graded.status != Status::failed) {
      status.clear();
      return report_ungraded(context, lesson, file, graded);
    }

    status.show(fmt::format("{:03}  counting …", lesson.number));
    const std::uint64_t seed = seed_.value_or(fresh_seed());
    auto other = std::async(std::launch::async, [&]() -> RunResult {
      if (solution_) return {};
      return grading.count(lesson, reference, seed, limit);
    });
    const RunResult own = grading.count(lesson, file, seed, limit);
    const RunResult compared = other.get();
    status.clear();

    if (own.status == Status::passed && own.counts.empty()) {
      throw Error(Exit::unavailable,
                  fmt::format("lesson {:03} has nothing to count yet: no BENCH_CASE in {}",
                              lesson.number, context.paths().shown(lesson.grader())));
    }
    if (own.counts.empty()) return report_failed_run(lesson, own, graded);
    const LessonProgress progress = context.progress().read().lesson(lesson.directory());
    const std::vector<Prediction> predictions =
        compare_predictions(lesson, progress, own.counts.front());
    if (json_) {
      print_json(lesson, file, graded, own, compared, seed, predictions);
    } else {
      print(context, lesson, file, graded, own, compared, predictions);
      for (const std::string& each : remarks) terminal::out().paragraph("note: " + each, 6);
    }
    if (learners_own() && graded.status == Status::passed)
      remember(context, lesson, own.counts.front());
    return exit_code(graded.status);
  }

  // Keeps the counts of the kernel that moved the fewest bytes and, of several such, made the
  // fewest requests.
  static void remember(Context& context, const Lesson& lesson, const CaseCounts& counts) {
    const auto at = [&](const char* name) {
      const auto found = counts.total.find(name);
      return found == counts.total.end() ? 0.0 : found->second;
    };
    const double bytes = at("bytes_moved");
    const double requests = at("load_requests") + at("store_requests") + at("atomic_requests");
    context.progress().update([&](Progress& progress) {
      if (const auto known = progress.benchmark(lesson.directory())) {
        const json best = json::parse(*known);
        if (best.value("shape", "") == counts.shape &&
            std::pair(best.value("bytes_moved", 0.0), best.value("requests", 0.0)) <=
                std::pair(bytes, requests)) {
          return;
        }
      }
      progress.set_benchmark(lesson.directory(), json{{"shape", counts.shape},
                                                      {"bytes_moved", to_json(bytes)},
                                                      {"requests", to_json(requests)}}
                                                     .dump());
    });
  }

  // It does not compile, or does not come to an end.
  Exit report_ungraded(Context& context, const Lesson& lesson, const fs::path& file,
                       const GradeOutcome& graded) const {
    if (json_) {
      terminal::out().line(failure_json(lesson, graded, graded.runs.front().reason).dump(2));
      return exit_code(graded.status);
    }
    ReportInput input;
    input.paths = &context.paths();
    input.lesson = &lesson;
    input.file = file;
    input.replay = grading_again(lesson);
    input.outcome = &graded;
    print_report(terminal::out(), input);
    terminal::out().line();
    terminal::out().paragraph("Nothing was counted: the kernel has to run first.");
    return exit_code(graded.status);
  }

  Exit report_failed_run(const Lesson& lesson, const RunResult& run,
                         const GradeOutcome& graded) const {
    const std::string reason = run.reason.empty() ? "the counting run gave nothing" : run.reason;
    if (json_) {
      terminal::out().line(failure_json(lesson, graded, reason).dump(2));
    } else {
      terminal::Terminal& out = terminal::out();
      out.paragraph(fmt::format("{} Nothing was counted: {}",
                                out.style(Style::bad, out.symbol(Symbol::failed)),
                                terminal::printable(reason)),
                    2);
      out.print(terminal::printable(run.compiler_messages));
    }
    return run.status == Status::passed ? Exit::unavailable : exit_code(run.status);
  }

  static json failure_json(const Lesson& lesson, const GradeOutcome& graded,
                           const std::string& reason) {
    return {{"lesson", lesson.directory()},
            {"status", grade::name(graded.status)},
            {"reason", terminal::printable(reason)},
            {"shape", nullptr},
            {"yours", nullptr},
            {"reference", nullptr}};
  }

  // Whole numbers without a decimal point.
  static json to_json(double value) {
    if (value == std::floor(value)) return static_cast<std::int64_t>(value);
    return value;
  }

  static json to_json(const CaseCounts::Values& values) {
    json object = json::object();
    for (const auto& [name, value] : values) object[name] = to_json(value);
    return object;
  }

  static json to_json(const CaseCounts& counts) {
    json side{{"total", to_json(counts.total)}, {"kernels", json::array()}};
    for (const CaseCounts::Kernel& kernel : counts.kernels) {
      side["kernels"].push_back({{"kernel", kernel.name}, {"counts", to_json(kernel.values)}});
    }
    return side;
  }

  void print_json(const Lesson& lesson, const fs::path& file, const GradeOutcome& graded,
                  const RunResult& own, const RunResult& compared, std::uint64_t seed,
                  const std::vector<Prediction>& predictions) const {
    const CaseCounts& counts = own.counts.front();
    json report{{"lesson", lesson.directory()},
                {"status", grade::name(graded.status)},
                {"kernel", file.string()},
                {"backend", "cpu"},
                {"seed", seed},
                {"shape", counts.shape},
                {"exact", counts.exact},
                {"yours", to_json(counts)},
                {"reference", nullptr},
                {"predictions", json::array()}};
    if (!compared.counts.empty()) report["reference"] = to_json(compared.counts.front());
    for (const Prediction& each : predictions) {
      json prediction{{"question", each.question->id},
                      {"count", each.question->bench},
                      {"counted", nullptr},
                      {"predicted", nullptr},
                      {"within", each.within}};
      if (each.known) prediction["counted"] = to_json(each.counted);
      if (!each.answer.empty()) prediction["predicted"] = to_json(each.predicted);
      report["predictions"].push_back(std::move(prediction));
    }
    terminal::out().line(report.dump(2, ' ', false, json::error_handler_t::replace));
  }

  void print(Context& context, const Lesson& lesson, const fs::path& file,
             const GradeOutcome& graded, const RunResult& own, const RunResult& compared,
             const std::vector<Prediction>& predictions) const {
    terminal::Terminal& out = terminal::out();
    out.line(out.style(Style::bold, fmt::format("{:03}  {}", lesson.number, lesson.title)));
    out.line("counted: " + out.path(file.string(), context.paths().root.string()));
    if (graded.status != Status::passed) {
      const auto& cases = graded.runs.front().cases;
      const auto failed = std::find_if(cases.begin(), cases.end(), [](const CaseResult& each) {
        return each.status == "failed";
      });
      out.line();
      out.paragraph(
          fmt::format(
              "{} This kernel fails its grader{}: what it costs may change once it is right. "
              "`{}` says what is wrong.",
              out.style(Style::bad, out.symbol(Symbol::failed)),
              failed == cases.end() ? ""
                                    : fmt::format(" (\"{}\")", terminal::printable(failed->name)),
              grading_again(lesson)),
          2);
    }
    const CaseCounts& counts = own.counts.front();
    out.line("one call with " + terminal::printable(counts.shape));
    std::vector<BenchColumn> columns{{solution_ ? "reference" : "yours", &counts}};
    if (!compared.counts.empty()) columns.push_back({"reference", &compared.counts.front()});
    print_counts(out, columns);
    print_predictions(out, lesson, predictions);
    out.line();
    out.paragraph(out.style(Style::dim,
                            "Counts of a model, exact for it, and no times: docs/cpu-runtime.md."));
  }

  std::string lesson_;
  bool solution_ = false;
  std::string file_;
  std::optional<std::uint64_t> seed_;
  std::string backend_ = "auto";
  std::optional<double> timeout_;
  bool json_ = false;
};

const Registration<BenchCommand> bench_command;

}  // namespace
}  // namespace grade
