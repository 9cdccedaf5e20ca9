// `grade update LESSON`: what an update of the workbook has changed in a stub, and how to have it
// in a kernel that was begun before.
#include <fmt/core.h>

#include <sstream>

#include "cli/command.h"
#include "course/course.h"
#include "system/paths.h"
#include "system/process.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

class UpdateCommand final : public Command {
 public:
  const char* name() const override { return "update"; }
  const char* summary() const override { return "What a new version changed under your kernels"; }
  int order() const override { return 30; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Show this lesson's change; default: list all",
                     Options::Need::optional);
    options.flag("-y,--yes", yes_, "Work the change into your kernel, after a backup; do not ask");
    options.flag("--keep", keep_, "Leave your kernel as it is, and mention the change no more");
    options.excludes("--yes", "--keep");
    options.footer(
        "A stub that you edited by mistake is put back, and the edit kept: after `grade update` no "
        "such edit is in the way of a `git pull`.");
  }

  Exit run(Context& context) override {
    if (lesson_.empty()) return list(context);
    const Lesson& lesson = context.course().find(lesson_);
    Workspace& workspace = context.workspace();
    terminal::Terminal& out = terminal::out();
    workspace.look_at_stub(lesson);
    const auto change = workspace.stub_change(lesson);
    const std::string file = context.paths().shown(lesson.kernel());
    if (!change) {
      out.paragraph(fmt::format("No update has changed the stub under {}.", file));
      return Exit::passed;
    }
    if (keep_) {
      workspace.keep(lesson);
      out.paragraph(fmt::format("{} stays as it is.", file));
      return Exit::passed;
    }
    show(*change);
    return offer(context, lesson, *change, file);
  }

 private:
  Exit list(Context& context) const {
    if (yes_ || keep_) throw Error(Exit::usage, "name the lesson that this is about");
    terminal::Terminal& out = terminal::out();
    bool none = true;
    for (const Lesson& lesson : context.course().lessons) {
      context.workspace().look_at_stub(lesson);
      if (!context.workspace().stub_change(lesson)) continue;
      none = false;
      out.line(fmt::format("{:03} {}", lesson.number, lesson.title));
    }
    out.paragraph(none ? "No update has changed a stub under your work."
                       : "The stubs of these have changed since you began: `grade update LESSON` "
                         "shows how. Your kernels are as you left them.");
    return Exit::passed;
  }

  static Captured run_program(const std::vector<std::string>& command) {
    const auto result = capture(command);
    if (!result || result->exit > 1) {
      throw Error(Exit::unavailable,
                  fmt::format("the program {} could not be run", command.front()),
                  "Install diffutils.");
    }
    return *result;
  }

  static void show(const StubChange& change) {
    terminal::Terminal& out = terminal::out();
    const Captured diff =
        run_program({"diff", "-u", "--label", "stub: as it was when you began", "--label",
                     "stub: as it is now", change.base.string(), change.stub.string()});
    std::istringstream lines(terminal::printable(diff.output));
    for (std::string line; std::getline(lines, line);) {
      out.line(terminal::diff_line(line));
    }
    out.line();
  }

  Exit offer(Context& context, const Lesson& lesson, const StubChange& change,
             const std::string& file) const {
    terminal::Terminal& out = terminal::out();
    const Captured merged = run_program(
        {"diff3", "-m", lesson.kernel().string(), change.base.string(), change.stub.string()});
    if (merged.exit == 1) {
      out.paragraph(fmt::format(
          "You have changed the same lines in {}, so this is for you to work in: edit the file as "
          "the difference above shows, then say `grade update {} --keep`.",
          file, lesson.number));
      return yes_ ? Exit::failed : Exit::passed;
    }
    if (!yes_ && !terminal::interactive()) {
      out.paragraph(fmt::format(
          "`grade update {0} --yes` works this into {1}, after a backup; `grade update {0} "
          "--keep` leaves it as it is.",
          lesson.number, file));
      return Exit::passed;
    }
    if (!yes_ && !terminal::confirmed(fmt::format("Work this into {}? A backup is kept.", file))) {
      out.paragraph(
          fmt::format("Nothing was changed. `grade update {} --keep`: do not mention it "
                      "again.",
                      lesson.number));
      return Exit::passed;
    }
    const Backup backup = context.workspace().take_over(lesson, merged.output);
    out.paragraph(fmt::format("{} has the change now. Before: {}. `grade undo` brings it back.",
                              file, context.paths().shown(backup.file)));
    return Exit::passed;
  }

  std::string lesson_;
  bool yes_ = false;
  bool keep_ = false;
};

const Registration<UpdateCommand> update_command;

}  // namespace
}  // namespace grade
