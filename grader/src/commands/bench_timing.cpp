#include "commands/bench_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands/lesson_view.h"
#include "commands/timing_table.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/report.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "timing/records.h"
#include "timing/timer.h"

namespace grade {
namespace {

using nlohmann::json;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class TimedCommand {
 public:
  TimedCommand(Context& context, const TimedRun& run) : context_(context), run_(run) {}

  Exit operator()() {
    measure();
    if (result_.timings.empty() &&
        (result_.status == Status::compile_error || result_.status == Status::unavailable)) {
      return report_untimed();
    }
    try {
      timing_ = read_timing(result_.timings);
    } catch (const std::runtime_error& error) {
      if (result_.reason.empty()) result_.reason = error.what();
      if (result_.status == Status::passed) result_.status = Status::unavailable;
    }
    std::vector<NewBest> records;
    // A channel that something else wrote on proves nothing; a run that was cut short is no record.
    if (run_.learners_own && result_.reason.empty()) {
      records =
          keep_best(context_.progress(), run_.lesson->directory(), timing_, result_.source_hash);
    }
    if (run_.json) {
      print_json();
    } else {
      print(records);
    }
    return exit_code(result_.status);
  }

 private:
  void measure() {
    const Lesson& lesson = *run_.lesson;
    Timer timer(context_.paths());
    timer.prepare(lesson);
    terminal::StatusLine status;
    TimingRequest request;
    request.lesson = &lesson;
    if (!run_.solution) request.file = run_.file;
    if (run_.seed) request.seed = *run_.seed;
    request.timeout = run_.timeout;
    request.on_step = [&](const std::string& what) {
      status.show(fmt::format("{:03}  {}", lesson.number, terminal::printable(what)));
    };
    result_ = timer.time(request);
  }

  // It does not compile, or this machine cannot do it.
  Exit report_untimed() const {
    if (run_.json) {
      print_json();
      return exit_code(result_.status);
    }
    GradeOutcome outcome;
    outcome.status = result_.status;
    outcome.runs = {result_};
    ReportInput input;
    input.paths = &context_.paths();
    input.lesson = run_.lesson;
    input.file = run_.file;
    input.replay = replay(run_.again);
    input.outcome = &outcome;
    print_report(terminal::out(), input);
    if (result_.status == Status::compile_error) {
      terminal::out().line();
      terminal::out().paragraph("Nothing was timed: the kernel has to run first.");
    }
    return exit_code(result_.status);
  }

  void print(const std::vector<NewBest>& records) const {
    Terminal& out = terminal::out();
    out.line(lesson_title(*run_.lesson, out));
    out.line("timed: " + out.path(run_.file.string(), context_.paths().root.string()) +
             (timing_.device.empty() ? "" : " on " + terminal::printable(timing_.device)));
    if (timing_.smoke) out.line("a smoke run: small sizes, two samples, no roofline");
    if (!result_.compiler_messages.empty()) {
      out.print(terminal::printable(result_.compiler_messages));
    }
    print_times(out, timing_);
    if (!timing_.cases.empty()) print_time_meanings(out, timing_);
    out.line();
    print_trouble(out);
    for (const NewBest& each : records) {
      out.paragraph(
          fmt::format(
              "{} Your best with {} on {}: {}{}",
              out.style(Style::good, out.symbol(Symbol::passed)),
              terminal::printable(each.best.shape), terminal::printable(each.best.device),
              seconds_in_words(each.best.seconds, out.can().unicode),
              each.before > 0
                  ? fmt::format(", before {}", seconds_in_words(each.before, out.can().unicode))
                  : ""),
          2);
    }
    Replay counting = run_.again;
    counting.backend = "cpu";
    out.paragraph(out.style(
        Style::dim, fmt::format("`{}` counts memory traffic, coalescing and bank conflicts.",
                                replay(counting, "bench"))));
  }

  void print_trouble(Terminal& out) const {
    const auto bad = [&](const std::string& text) {
      out.paragraph(out.style(Style::bad, out.symbol(Symbol::failed)) + " " + text, 2);
    };
    if (!result_.reason.empty()) {
      const bool some = !timing_.cases.empty();
      bad(fmt::format("{}: {}{}", some ? "Not all was timed" : "Nothing was timed",
                      terminal::printable(result_.reason),
                      result_.case_running.empty()
                          ? ""
                          : fmt::format(" (at {})", terminal::printable(result_.case_running))));
      if (!result_.output.empty()) out.print(terminal::printable(result_.output));
    }
    if (run_.learners_own && wrong("yours")) {
      out.paragraph(
          fmt::format("A time counts only with right results. `{}` says more of what is wrong.",
                      replay(run_.again)));
    }
  }

  bool wrong(const std::string& subject) const {
    return std::ranges::any_of(timing_.cases, [&](const TimedCase& timed) {
      return std::ranges::any_of(timed.subjects, [&](const TimedSubject& each) {
        return each.name == subject && !each.wrong.empty();
      });
    });
  }

  static json to_json(const TimedCase& timed, const TimedSubject& subject) {
    json entry{{"subject", subject.name},
               {"wrong", subject.wrong},
               {"median", nullptr},
               {"lower", nullptr},
               {"upper", nullptr},
               {"samples", subject.samples},
               {"bytes_per_second", nullptr},
               {"flops_per_second", nullptr},
               {"times_as_fast", nullptr},
               {"of_roofline", nullptr}};
    if (!subject.sound()) return entry;
    entry["median"] = subject.median;
    entry["lower"] = subject.lower;
    entry["upper"] = subject.upper;
    entry["bytes_per_second"] = (timed.bytes_read + timed.bytes_written) / subject.median;
    entry["flops_per_second"] = timed.flops / subject.median;
    if (const auto ratio = timed.ratio(subject)) entry["times_as_fast"] = *ratio;
    if (subject.of_roofline) entry["of_roofline"] = *subject.of_roofline;
    return entry;
  }

  void print_json() const {
    json report{{"lesson", run_.lesson->directory()},
                {"status", grade::name(result_.status)},
                {"reason", terminal::printable(result_.reason)},
                {"kernel", run_.file.string()},
                {"backend", "cuda"},
                {"seed", result_.seed},
                {"device", nullptr},
                {"ceilings", nullptr},
                {"cases", json::array()}};
    if (!timing_.device.empty()) {
      report["device"] = timing_.device;
      report["ceilings"] = {{"copy_bytes_per_second", timing_.copy_bytes},
                            {"read_bytes_per_second", timing_.read_bytes},
                            {"fill_bytes_per_second", timing_.fill_bytes},
                            {"flops_per_second", timing_.flops},
                            {"product_flops_per_second", timing_.product_flops}};
    }
    for (const TimedCase& timed : timing_.cases) {
      json entry{{"function", timed.function},
                 {"shape", timed.shape},
                 {"method", timed.method},
                 {"bytes_read", timed.bytes_read},
                 {"bytes_written", timed.bytes_written},
                 {"flops", timed.flops},
                 {"least_seconds", timed.least_seconds},
                 {"skipped", nullptr},
                 {"subjects", json::array()}};
      if (!timed.skipped.empty()) entry["skipped"] = timed.skipped;
      for (const TimedSubject& each : timed.subjects) {
        entry["subjects"].push_back(to_json(timed, each));
      }
      report["cases"].push_back(std::move(entry));
    }
    if (!result_.compiler_messages.empty()) {
      report["compiler_messages"] = terminal::printable(result_.compiler_messages);
    }
    terminal::out().line(report.dump(2, ' ', false, json::error_handler_t::replace));
  }

  Context& context_;
  const TimedRun& run_;
  RunResult result_;
  Timing timing_;
};

}  // namespace

Exit time_kernel(Context& context, const TimedRun& run) {
  return TimedCommand(context, run)();
}

}  // namespace grade
