// `grade reset LESSON`: back to the stub, after a backup and a yes.
#include <fmt/core.h>

#include "cli/command.h"
#include "course/course.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

class ResetCommand final : public Command {
 public:
  const char* name() const override { return "reset"; }
  const char* summary() const override {
    return "Start a kernel anew from its stub, after a backup";
  }
  int order() const override { return 30; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.flag("-y,--yes", yes_, "Do not ask");
  }

  Exit run(Context& context) override {
    const Lesson& lesson = context.course().find(lesson_);
    terminal::Terminal& out = terminal::out();
    const std::string file = context.paths().shown(context.workspace().kernel(lesson));
    if (context.workspace().untouched(lesson)) {
      out.paragraph(fmt::format("{} is the stub already; nothing to do.", file));
      return Exit::passed;
    }
    if (!yes_ && !confirmed(file)) {
      out.paragraph("Nothing was changed.");
      return Exit::failed;
    }
    const auto backup = context.workspace().reset(lesson);
    out.paragraph(fmt::format("{} is the stub again.", file));
    if (backup)
      out.paragraph(fmt::format("Your version: {}. `grade undo` brings it back.",
                                context.paths().shown(backup->file)));
    return Exit::passed;
  }

 private:
  static bool confirmed(const std::string& file) {
    if (!terminal::interactive()) {
      throw Error(Exit::usage,
                  "reset asks before it replaces your work, and there is no terminal to ask on",
                  "Say --yes if you mean it. A backup is made in any case.");
    }
    return terminal::confirmed(fmt::format("Replace {} by the stub? A backup is kept.", file));
  }

  std::string lesson_;
  bool yes_ = false;
};

const Registration<ResetCommand> reset_command;

}  // namespace
}  // namespace grade
