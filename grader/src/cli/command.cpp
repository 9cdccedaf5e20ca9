#include "cli/command.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "course/course.h"
#include "progress/store.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "workspace/workspace.h"

namespace grade {
namespace {

// Inside a function, so that it exists before the first registration, whatever the link order.
std::vector<detail::Factory>& factories() {
  static std::vector<detail::Factory> list;
  return list;
}

}  // namespace

void detail::register_command(Factory factory) {
  factories().push_back(factory);
}

const std::vector<std::unique_ptr<Command>>& commands() {
  static const std::vector<std::unique_ptr<Command>> sorted = [] {
    std::vector<std::unique_ptr<Command>> list;
    for (const auto factory : factories()) list.push_back(factory());
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      if (a->order() != b->order()) return a->order() < b->order();
      return std::string_view(a->name()) < b->name();
    });
    return list;
  }();
  return sorted;
}

Context::Context(const Paths& paths) : paths_(paths) {}
Context::~Context() = default;

const Course& Context::course() {
  if (course_) return *course_;
  course_ = std::make_unique<Course>(Course::load(paths_));
  for (const BrokenLesson& each : course_->broken) {
    terminal::err().paragraph(
        fmt::format("! Lesson {} is left out: {}", each.number, terminal::printable(each.what)), 2);
    terminal::err().paragraph("  " + each.next);
  }
  workspace().follow_renamed(*course_);
  return *course_;
}

ProgressStore& Context::progress() {
  if (!progress_) {
    progress_ = std::make_unique<ProgressStore>(paths_.progress(), [&](const std::string& name) {
      const Lesson* lesson = course().known_as(name);
      return lesson == nullptr ? name : lesson->directory();
    });
  }
  return *progress_;
}

Workspace& Context::workspace() {
  if (!workspace_) workspace_ = std::make_unique<Workspace>(paths_);
  return *workspace_;
}

}  // namespace grade
