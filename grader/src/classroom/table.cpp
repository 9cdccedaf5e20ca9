#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "classroom/formats.h"
#include "terminal/text.h"

namespace grade::classroom {
namespace {

using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

std::string in_words(std::string status) {
  std::replace(status.begin(), status.end(), '_', ' ');
  return status;
}

// "3 failed, 1 timed out"
std::string counted(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [status, count] : counts) {
    if (status == "passed") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, in_words(status));
  }
  return text;
}

void print_students(Terminal& out, const Results& results) {
  int name_columns = 7;
  for (const Student& each : results.students) {
    name_columns = std::max(name_columns, terminal::width(terminal::printable(each.name)));
  }
  name_columns = std::min(name_columns, 28);
  out.line(out.style(Style::bold,
                     fmt::format("  {}  {:>9}  {:>7}", terminal::pad_right("student", name_columns),
                                 "points", "passed")));
  for (const Student& student : results.students) {
    std::map<std::string, int> counts;
    for (const Mark& mark : student.marks) ++counts[mark.status];
    const bool all = counts["passed"] == static_cast<int>(student.marks.size());
    const std::string name = terminal::truncate(terminal::printable(student.name), name_columns);
    std::string rest = counted(counts);
    if (!student.remarks.empty()) {
      rest += fmt::format("{}{} not graded", rest.empty() ? "" : "; ", student.remarks.size());
    }
    out.line(terminal::truncate(
        fmt::format("{} {}  {:>9}  {:>7}  {}",
                    out.style(all ? Style::good : Style::bad,
                              out.symbol(all ? Symbol::passed : Symbol::failed)),
                    terminal::pad_right(name, name_columns),
                    fmt::format("{}/{}", student.points(), results.points()),
                    fmt::format("{}/{}", counts["passed"], student.marks.size()), rest),
        out.columns()));
  }
}

void print_lessons(Terminal& out, const Results& results) {
  for (std::size_t i = 0; i < results.lessons.size(); ++i) {
    std::map<std::string, int> counts;
    for (const Student& student : results.students) ++counts[student.marks[i].status];
    out.line(terminal::truncate(
        fmt::format("  {}  {:>4} of {} passed  {}",
                    terminal::pad_right(terminal::truncate(results.lessons[i].lesson, 28), 28),
                    counts["passed"], results.students.size(), counted(counts)),
        out.columns()));
  }
}

}  // namespace

void print_table(Terminal& out, const Results& results) {
  if (results.students.empty()) {
    out.line("Nobody has handed anything in.");
    return;
  }
  print_students(out, results);
  if (results.students.size() > 1) {
    out.line();
    print_lessons(out, results);
  }
  const bool remarks = std::any_of(results.students.begin(), results.students.end(),
                                   [](const Student& each) { return !each.remarks.empty(); });
  if (!remarks) return;
  constexpr std::size_t kShown = 10;
  std::size_t shown = 0;
  std::size_t left = 0;
  out.line();
  for (const Student& student : results.students) {
    for (const std::string& remark : student.remarks) {
      if (shown == kShown) {
        ++left;
        continue;
      }
      ++shown;
      out.paragraph(
          fmt::format("! {}: {}", terminal::printable(student.name), terminal::printable(remark)),
          2);
    }
  }
  if (left > 0) out.line(fmt::format("! … and {} more such remarks; the JSON has them all", left));
}

}  // namespace grade::classroom
