// `grade diff LESSON`: the learner's kernel against the reference, after a pass: what it does, as
// counted, and its text.
#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <sstream>

#include "cli/command.h"
#include "commands/bench_table.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "run/grader_process.h"
#include "run/grading.h"
#include "system/files.h"
#include "system/paths.h"
#include "system/process.h"
#include "terminal/pager.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

using terminal::Style;

class DiffCommand final : public Command {
 public:
  const char* name() const override { return "diff"; }
  const char* summary() const override {
    return "Your kernel against the reference, once you have passed";
  }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("--spoil", spoil_, "Show it before a pass; this is recorded");
    options.flag("--text", text_, "The text alone, without what each costs");
    options.flag("--no-pager", no_pager_, "Print all at once");
    options.footer(
        "Above the text: where the two differ in kind, in launches, barriers, memory traffic and "
        "arithmetic, as the CPU runtime counts them for one call (`grade bench` shows it all).");
  }

  Exit run(Context& context) override {
    const Lesson& lesson = context.course().find(lesson_);
    const auto own = context.workspace().kernel(lesson);
    const auto reference = context.paths().solutions() / lesson.directory() / "kernel.cu";
    read_file(reference);  // says so when it is missing
    require_pass_or_spoil(lesson, context.progress(), spoil_, "the reference", "diff");

    const std::vector<std::string> options{"-u", "--label", "yours: " + context.paths().shown(own),
                                           "--label",
                                           "reference: " + context.paths().shown(reference)};
    std::vector<std::string> command{"diff"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(own.string());
    command.push_back(reference.string());
    const auto result = capture(command);
    if (!result || result->exit > 1) {
      throw Error(Exit::unavailable, "the program diff could not be run", "Install diffutils.");
    }
    if (result->exit == 0) {
      terminal::out().paragraph(
          "Your kernel and the reference are the same, character by character.");
      return Exit::passed;
    }
    std::vector<std::string> lines;
    if (!text_) lines = in_kind(context, lesson, own, reference);
    std::istringstream stream(terminal::printable(result->output));
    for (std::string line; std::getline(stream, line);) lines.push_back(terminal::diff_line(line));
    terminal::print_paged(lines, !no_pager_);
    return Exit::passed;
  }

 private:
  // What the one does and the other does not, whatever it looks like.
  static std::vector<std::string> in_kind(Context& context, const Lesson& lesson,
                                          const std::filesystem::path& own,
                                          const std::filesystem::path& reference) {
    const terminal::Terminal& out = terminal::out();
    const auto note = [&](const std::string& text) {
      std::vector<std::string> lines =
          terminal::wrap(out.style(Style::dim, text), std::min(out.columns(), 80));
      lines.emplace_back();
      return lines;
    };
    try {
      Grading grading(context.paths(), context.course(), BackendChoice::cpu);
      grading.prepare({&lesson});
      terminal::StatusLine status;
      status.show(fmt::format("{:03}  counting …", lesson.number));
      const std::uint64_t seed = fresh_seed();
      const std::chrono::seconds limit(20);
      auto other = std::async(std::launch::async,
                              [&] { return grading.count(lesson, reference, seed, limit); });
      const RunResult yours = grading.count(lesson, own, seed, limit);
      const RunResult theirs = other.get();
      status.clear();
      if (yours.counts.empty() || theirs.counts.empty()) {
        return note("Not counted: " + terminal::printable(yours.reason.empty()
                                                              ? "there is no result"
                                                              : yours.reason));
      }
      const CaseCounts& counts = yours.counts.front();
      std::vector<std::string> lines =
          count_differences(out, {"yours", &counts}, {"reference", &theirs.counts.front()});
      const std::string shape = terminal::printable(counts.shape);
      if (lines.empty()) {
        return note(
            fmt::format("In kind they are the same: one call with {} counts alike.", shape));
      }
      lines.insert(lines.begin(), out.style(Style::bold, "In kind") + ", one call with " + shape);
      lines.emplace_back();
      return lines;
    } catch (const Error& error) {  // the text can be shown all the same
      const std::string what = error.what();
      return note("Not counted: " + terminal::printable(what.substr(0, what.find('\n'))));
    }
  }

  std::string lesson_;
  bool spoil_ = false;
  bool text_ = false;
  bool no_pager_ = false;
};

const Registration<DiffCommand> diff_command;

}  // namespace
}  // namespace grade
