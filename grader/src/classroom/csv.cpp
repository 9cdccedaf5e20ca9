#include <fmt/core.h>

#include "classroom/formats.h"
#include "terminal/text.h"

namespace grade::classroom {
namespace {

// A spreadsheet would take a name that begins like this for a formula, and students choose names.
bool starts_a_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t").find(text[0]) != std::string_view::npos;
}

std::string field(const std::string& raw) {
  std::string text = terminal::printable(raw);
  if (starts_a_formula(text)) text.insert(0, "'");
  if (text.find_first_of("\",\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string to_csv(const Results& results) {
  std::string text = "student,points,of,passed";
  for (const Assignment& each : results.lessons) text += "," + field(each.lesson);
  text += "\r\n";
  for (const Student& student : results.students) {
    text += fmt::format("{},{},{},{}", field(student.name), student.points(), results.points(),
                        student.passed());
    for (const Mark& mark : student.marks) text += "," + field(mark.status);
    text += "\r\n";
  }
  return text;
}

}  // namespace grade::classroom
