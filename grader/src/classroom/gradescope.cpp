#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "classroom/formats.h"
#include "terminal/text.h"

namespace grade::classroom {

using Json = nlohmann::ordered_json;

std::string to_gradescope(const Results& results, const Student& student) {
  double seconds = 0;
  Json tests = Json::array();
  for (std::size_t i = 0; i < student.marks.size(); ++i) {
    const Mark& mark = student.marks[i];
    const Assignment& lesson = results.lessons[i];
    seconds += mark.seconds;
    tests.push_back({{"name", lesson.title},
                     {"number", std::to_string(lesson.number)},
                     {"score", mark.points},
                     {"max_score", lesson.points},
                     {"status", mark.status == "passed" ? "passed" : "failed"},
                     {"output", terminal::printable(explanation(mark))},
                     {"visibility", "visible"},
                     {"extra_data", {{"lesson", mark.lesson}, {"status", mark.status}}}});
  }
  std::string text = fmt::format("{} of {} lessons passed.", student.passed(), tests.size());
  for (const std::string& each : student.remarks) text += "\n" + terminal::printable(each);
  Json json{
      {"score", student.points()}, {"execution_time", seconds},     {"output", text},
      {"output_format", "text"},   {"test_output_format", "text"},  {"test_name_format", "text"},
      {"visibility", "visible"},   {"stdout_visibility", "hidden"}, {"tests", std::move(tests)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grade::classroom
