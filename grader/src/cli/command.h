// A command of `grade` is one file in commands/ (or next to the module that it fronts):
//
//   class ListCommand final : public Command {
//    public:
//     const char* name() const override { return "list"; }
//     const char* summary() const override { return "Every lesson and its state"; }
//     void configure(Options& options) override { options.flag("--all", all_, "..."); }
//     Exit run(Context& context) override { ... }
//    private:
//     bool all_ = false;
//   };
//   const Registration<ListCommand> list_command;
//
// Nothing else is touched: the build globs the sources, the registry feeds the command line.
#pragma once

#include <memory>
#include <vector>

#include "cli/error.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace grade {

class Course;
class ProgressStore;
class Workspace;
struct Paths;

// What a command works on. Each part is loaded when it is first asked for, so that a command pays
// only for what it uses.
class Context {
 public:
  explicit Context(const Paths& paths);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Paths& paths() const { return paths_; }
  // Says once which lessons are broken; throws Error when course.json is wrong.
  const Course& course();
  ProgressStore& progress();  // progress.json, locked for each change
  Workspace& workspace();     // the learner's kernels, backups

 private:
  const Paths& paths_;
  std::unique_ptr<Course> course_;
  std::unique_ptr<ProgressStore> progress_;
  std::unique_ptr<Workspace> workspace_;
};

class Command {
 public:
  virtual ~Command() = default;

  virtual const char* name() const = 0;
  virtual const char* summary() const = 0;
  // Help lists the commands by this number, then by name: 10 the learner's daily ones, 20 what
  // reads, 30 what changes files, 40 the rest, 90 for authors.
  virtual int order() const { return 40; }
  virtual void configure(Options& options) = 0;
  virtual Exit run(Context& context) = 0;
};

// All commands, created on first use, in help order.
const std::vector<std::unique_ptr<Command>>& commands();

namespace detail {
using Factory = std::unique_ptr<Command> (*)();
void register_command(Factory factory);
}  // namespace detail

template <class C>
struct Registration {
  Registration() {
    detail::register_command([]() -> std::unique_ptr<Command> { return std::make_unique<C>(); });
  }
};

}  // namespace grade
