#include <fmt/core.h>

#include <algorithm>

#include "classroom/formats.h"
#include "render/markup.h"
#include "terminal/text.h"

namespace grade::classroom {
namespace {

// A byte that is no UTF-8, and the two characters that XML 1.0 does not allow, become the
// replacement character.
std::string escaped_xml(std::string_view raw) {
  std::string clean = terminal::printable(raw);
  for (const char* const refused : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at = 0; (at = clean.find(refused, at)) != std::string::npos;) {
      clean.replace(at, 3, "\xef\xbf\xbd");
    }
  }
  return escaped(clean);
}

// Of an attribute: newlines would become spaces anyway.
std::string attribute(std::string_view raw) {
  std::string text = escaped_xml(raw);
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

std::string test_case(const Student& student, const Assignment& lesson, const Mark& mark) {
  std::string text = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                                 attribute(fmt::format("{:03} {}", lesson.number, lesson.title)),
                                 attribute(student.name + "." + lesson.lesson), mark.seconds);
  if (mark.status == "passed") return text + "/>\n";
  text += ">\n";
  if (mark.status == "missing") {
    text += fmt::format("      <skipped message=\"{}\"/>\n", attribute(mark.reason));
  } else {
    const char* tag = mark.status == "failed" ? "failure" : "error";
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", tag, mark.status,
                        attribute(mark.reason), escaped_xml(explanation(mark)));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string to_junit(const Results& results) {
  std::string time = results.time;  // without a zone, as the schema has it
  if (!time.empty() && time.back() == 'Z') time.pop_back();
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  int id = 0;
  for (const Student& student : results.students) {
    int failures = 0;
    int errors = 0;
    int skipped = 0;
    double seconds = 0;
    std::string cases;
    for (std::size_t i = 0; i < student.marks.size(); ++i) {
      const Mark& mark = student.marks[i];
      seconds += mark.seconds;
      if (mark.status == "missing") {
        ++skipped;
      } else if (mark.status == "failed") {
        ++failures;
      } else if (mark.status != "passed") {
        ++errors;
      }
      cases += test_case(student, results.lessons[i], mark);
    }
    std::string remarks;
    for (const std::string& each : student.remarks) remarks += each + "\n";
    text += fmt::format(
        "  <testsuite id=\"{}\" package=\"{}\" name=\"{}\" timestamp=\"{}\" hostname=\"localhost\" "
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
        id++, attribute(results.course), attribute(student.name), time, student.marks.size(),
        failures, errors, skipped, seconds);
    text += fmt::format(
        "    <properties>\n"
        "      <property name=\"points\" value=\"{}\"/>\n"
        "      <property name=\"of\" value=\"{}\"/>\n"
        "      <property name=\"backend\" value=\"{}\"/>\n"
        "    </properties>\n",
        student.points(), results.points(), attribute(results.backend));
    text += cases;
    text += fmt::format("    <system-out>{}</system-out>\n    <system-err></system-err>\n",
                        escaped_xml(remarks));
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace grade::classroom
