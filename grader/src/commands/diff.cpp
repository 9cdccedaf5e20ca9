// `grade diff LESSON`: the learner's kernel against the reference, after a pass.
#include <fmt/core.h>

#include <sstream>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
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
    options.flag("--no-pager", no_pager_, "Print all at once");
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
    std::istringstream stream(terminal::printable(result->output));
    for (std::string line; std::getline(stream, line);) lines.push_back(coloured(line));
    terminal::print_paged(lines, !no_pager_);
    return Exit::passed;
  }

 private:
  static std::string coloured(const std::string& line) {
    const terminal::Terminal& out = terminal::out();
    if (line.starts_with("---") || line.starts_with("+++")) return out.style(Style::bold, line);
    if (line.starts_with("@@")) return out.style(Style::accent, line);
    if (line.starts_with("-")) return out.style(Style::bad, line);
    if (line.starts_with("+")) return out.style(Style::good, line);
    return line;
  }

  std::string lesson_;
  bool spoil_ = false;
  bool no_pager_ = false;
};

const Registration<DiffCommand> diff_command;

}  // namespace
}  // namespace grade
