// `grade undo`: brings the last backup back; a second undo takes that back.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.h"
#include "course/course.h"
#include "system/clock.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

class UndoCommand final : public Command {
 public:
  const char* name() const override { return "undo"; }
  const char* summary() const override {
    return "Bring back what the last reset or update replaced";
  }
  int order() const override { return 30; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Only this lesson's backups", Options::Need::optional);
    options.flag("--list", list_, "Print the backups, oldest first");
  }

  Exit run(Context& context) override {
    Workspace& workspace = context.workspace();
    std::vector<Backup> backups = workspace.backups();
    if (!lesson_.empty()) {
      const Lesson& wanted = context.course().find(lesson_);
      std::erase_if(backups, [&](const Backup& backup) {  // those under a former name included
        return context.course().known_as(backup.lesson) != &wanted;
      });
    }
    terminal::Terminal& out = terminal::out();
    if (list_) {
      for (const Backup& backup : backups) {
        out.line(fmt::format("{}  {:6}  {}", time_of(backup), backup.reason,
                             context.paths().shown(backup.file)));
      }
      if (backups.empty()) out.line("There are no backups.");
      return Exit::passed;
    }
    if (backups.empty()) {
      throw Error(Exit::usage, "there is nothing to undo: no backup was made yet",
                  "`grade reset LESSON` makes one before it replaces a kernel.");
    }
    const Backup& last = backups.back();
    const Lesson& lesson = context.course().find(last.lesson);
    workspace.restore(lesson, last);
    out.paragraph(fmt::format("{} is as it was on {} (before the {}).",
                              context.paths().shown(lesson.kernel()), time_of(last),
                              last.reason == "stub"      ? "stub was put back"
                              : last.reason == "renamed" ? "lesson was renamed"
                                                         : last.reason));
    out.paragraph("`grade undo` once more takes this back.");
    return Exit::passed;
  }

 private:
  static std::string time_of(const Backup& backup) {
    const auto seconds = parse_utc_time(backup.time);
    return seconds ? local_time(*seconds) : backup.time;
  }

  std::string lesson_;
  bool list_ = false;
};

const Registration<UndoCommand> undo_command;

}  // namespace
}  // namespace grade
