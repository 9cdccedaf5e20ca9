// `grade solution LESSON`: the reference, after a pass.
#include <fmt/core.h>

#include <filesystem>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "render/highlight.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/pager.h"
#include "terminal/terminal.h"

namespace grade {
namespace {

class SolutionCommand final : public Command {
 public:
  const char* name() const override { return "solution"; }
  const char* summary() const override { return "The reference kernel, once you have passed"; }
  int order() const override { return 20; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("--spoil", spoil_, "Show it before a pass; this is recorded");
    options.flag("--fast", fast_, "The tuned version, where the lesson has one");
    options.flag("--no-pager", no_pager_, "Print all at once");
  }

  Exit run(Context& context) override {
    const Lesson& lesson = context.course().find(lesson_);
    const auto file =
        context.paths().solutions() / lesson.directory() / (fast_ ? "fast.cu" : "kernel.cu");
    if (fast_ && !std::filesystem::exists(file)) {
      throw Error(Exit::usage, fmt::format("lesson {} has no tuned version", lesson.number));
    }
    const std::string code = read_file(file);
    require_pass_or_spoil(lesson, context.progress(), spoil_, "the reference", "solution");
    // In a pipe it is the file, ready to be saved.
    terminal::print_paged(highlight_cpp(code, terminal::out()), !no_pager_);
    return Exit::passed;
  }

 private:
  std::string lesson_;
  bool spoil_ = false;
  bool fast_ = false;
  bool no_pager_ = false;
};

const Registration<SolutionCommand> solution_command;

}  // namespace
}  // namespace grade
