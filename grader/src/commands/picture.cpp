// `grade picture LESSON`: what the threads of a kernel did in the lesson's example, as a page.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/command.h"
#include "cli/time_limit.h"
#include "commands/chosen_kernel.h"
#include "commands/replay.h"
#include "course/course.h"
#include "picture/page.h"
#include "picture/sentences.h"
#include "run/grader_process.h"
#include "run/grading.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class PictureCommand final : public Command {
 public:
  const char* name() const override { return "picture"; }
  const char* summary() const override {
    return "Draw which thread touched what, step by step, as a page";
  }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("--solution", solution_, "Draw the reference");
    options.option("--file", file_, "PATH", "Draw this file in the lesson's place");
    options.excludes("--file", "--solution");
    options.option("--seed", seed_, "N", "Repeat the inputs of an earlier run");
    options.option("--timeout", timeout_, "SECONDS", "Seconds that the run may take");
    options.flag("--json", json_, "Print the trace (docs/cpu-runtime.md) instead of drawing it");
    options.footer(
        "The CPU runtime runs the lesson's example and writes down every access of every warp: the "
        "elements, the sectors or bank conflicts, barriers, races. The page needs no network and "
        "no server: open it in a browser.");
  }

  Exit run(Context& context) override {
    time_limit(timeout_);  // before anything is done
    const Lesson& lesson = context.course().find(lesson_);
    const fs::path file = chosen_kernel(context, lesson, solution_, file_);
    Grading grading(context.paths(), context.course(), BackendChoice::cpu);
    grading.prepare({&lesson});
    terminal::StatusLine status;
    status.show(fmt::format("{:03}  running the example …", lesson.number));
    const RunResult result =
        grading.trace(lesson, file, seed_.value_or(fresh_seed()), time_limit(timeout_));
    status.clear();
    if (result.trace.empty()) return report_without_trace(lesson, result);
    if (json_) {
      terminal::out().line(result.trace);
      return exit_code(result.status);
    }
    Picture picture;
    picture.title = fmt::format("{:03} {}", lesson.number, lesson.title);
    picture.kernel = context.paths().shown(file);
    picture.status = result.status;
    picture.trace = read_trace(result.trace);
    picture.sources = sources(context.paths(), file, picture.trace);
    picture.diagnostics = result.diagnostics;
    const fs::path page = page_path(context.paths(), lesson);
    write_file_atomically(page, picture_page(picture));
    print(context, lesson, file, page, picture, result.seed);
    return exit_code(result.status);
  }

 private:
  // A learner's picture is not overwritten by one of another file.
  fs::path page_path(const Paths& paths, const Lesson& lesson) const {
    const char* const of = solution_ ? "_reference" : file_.empty() ? "" : "_file";
    return paths.state() / "pictures" / (lesson.directory() + of + ".html");
  }

  // The kernel's own file and what it includes from the workbook; nothing else is quoted.
  static std::vector<PictureSource> sources(const Paths& paths, const fs::path& file,
                                            const Trace& trace) {
    std::vector<PictureSource> result;
    std::set<std::string> seen;
    for (const Trace::Place& place : trace.places) {
      if (place.line == 0 || !seen.insert(place.file).second) continue;
      const fs::path path = fs::weakly_canonical(paths.root / place.file);
      const fs::path inside = path.lexically_relative(fs::weakly_canonical(paths.root));
      const bool own = path == fs::weakly_canonical(file);
      const bool workbooks =
          !inside.empty() &&
          (path.extension() == ".cu" || path.extension() == ".h" || path.extension() == ".cuh") &&
          *inside.begin() != "..";
      if (!own && !workbooks) continue;
      if (const auto text = read_file_if_there(path)) {
        result.push_back({place.file, paths.shown(path), lines_of(*text)});
      }
    }
    return result;
  }

  Exit report_without_trace(const Lesson& lesson, const RunResult& run) const {
    terminal::Terminal& out = terminal::out();
    const std::string reason =
        !run.reason.empty() ? run.reason : "the lesson's example never called the function";
    out.paragraph(
        fmt::format("{} {:03} was not drawn: {}", out.style(Style::bad, out.symbol(Symbol::failed)),
                    lesson.number, terminal::printable(reason)),
        2);
    out.print(terminal::printable(run.compiler_messages));
    return run.status == Status::passed ? Exit::unavailable : exit_code(run.status);
  }

  void print(Context& context, const Lesson& lesson, const fs::path& file, const fs::path& page,
             const Picture& picture, std::uint64_t seed) const {
    terminal::Terminal& out = terminal::out();
    const std::string root = context.paths().root.string();
    out.line(out.style(Style::bold, fmt::format("{:03}  {}", lesson.number, lesson.title)));
    out.line("drawn: " + out.path(file.string(), root));
    const Trace& trace = picture.trace;
    const auto wasteful = static_cast<std::size_t>(std::ranges::count_if(
        trace.steps, [](const Trace::Step& step) { return step.transactions > step.best; }));
    const auto barriers = static_cast<std::size_t>(
        std::ranges::count_if(trace.steps, [](const Trace::Step& s) { return s.is_barrier(); }));
    out.line(fmt::format("{}: {} dearer than need be, {}",
                         number_of(trace.steps.size(), "step", "steps"), wasteful,
                         number_of(barriers, "barrier", "barriers")));
    if (trace.steps.empty()) out.paragraph(nothing_in_words(trace));
    if (trace.steps_left_out > 0) {
      out.line(fmt::format("{} more steps are left out", trace.steps_left_out));
    }
    std::set<std::string> kinds;
    for (const ReportedDiagnostic& each : picture.diagnostics) {
      if (each.error && kinds.insert(each.kind).second) {
        out.line(out.style(Style::bad, out.symbol(Symbol::failed)) +
                 " the checks report: " + terminal::printable(each.kind));
      }
    }
    if (picture.status != Status::passed && kinds.empty()) {
      const Replay again{lesson.number, solution_, file_, false, "cpu"};
      out.paragraph(
          fmt::format("{} The example does not come out right: `{} --seed {}` says why.",
                      out.style(Style::bad, out.symbol(Symbol::failed)), replay(again), seed),
          2);
    }
    out.line("open   " + out.path(page.string(), root));
  }

  std::string lesson_;
  bool solution_ = false;
  std::string file_;
  std::optional<std::uint64_t> seed_;
  double timeout_ = 20;
  bool json_ = false;
};

const Registration<PictureCommand> picture_command;

}  // namespace
}  // namespace grade
