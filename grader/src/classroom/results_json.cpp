#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "classroom/results.h"

namespace grade::classroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "moe-course-results";

Json to_json(const Mark& mark) {
  Json failures = Json::array();
  for (const Mark::Failure& each : mark.failures) {
    failures.push_back({{"what", each.what}, {"message", each.message}, {"line", each.line}});
  }
  return {{"lesson", mark.lesson},
          {"status", mark.status},
          {"points", mark.points},
          {"file", mark.file},
          {"reason", mark.reason},
          {"hidden", mark.hidden.empty() ? Json(nullptr) : Json(mark.hidden)},
          {"cases", {{"of", mark.cases}, {"passed", mark.cases_passed}}},
          {"failures", std::move(failures)},
          {"compiler", mark.compiler},
          {"seconds", mark.seconds}};
}

Mark mark_from(const Json& from) {
  Mark mark;
  from.at("lesson").get_to(mark.lesson);
  from.at("status").get_to(mark.status);
  from.at("points").get_to(mark.points);
  from.at("file").get_to(mark.file);
  from.at("reason").get_to(mark.reason);
  if (!from.at("hidden").is_null()) from.at("hidden").get_to(mark.hidden);
  from.at("cases").at("of").get_to(mark.cases);
  from.at("cases").at("passed").get_to(mark.cases_passed);
  for (const Json& each : from.at("failures")) {
    mark.failures.push_back({each.at("what"), each.at("message"), each.at("line")});
  }
  from.at("compiler").get_to(mark.compiler);
  from.at("seconds").get_to(mark.seconds);
  return mark;
}

}  // namespace

std::string to_json_text(const Results& results) {
  Json json{{"format", kFormat},
            {"version", Results::version},
            {"course", results.course},
            {"time", results.time},
            {"backend", results.backend},
            {"seed", results.seed.empty() ? Json(nullptr) : Json(results.seed)},
            {"hidden_inputs", results.hidden}};
  json["lessons"] = Json::array();
  for (const Assignment& each : results.lessons) {
    json["lessons"].push_back({{"lesson", each.lesson},
                               {"number", each.number},
                               {"title", each.title},
                               {"points", each.points}});
  }
  json["students"] = Json::array();
  for (const Student& each : results.students) {
    Json marks = Json::array();
    for (const Mark& mark : each.marks) marks.push_back(to_json(mark));
    json["students"].push_back({{"name", each.name},
                                {"points", each.points()},
                                {"of", results.points()},
                                {"passed", each.passed()},
                                {"marks", std::move(marks)},
                                {"remarks", each.remarks}});
  }
  // Names of files and what a kernel wrote need not be UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Results results_from_json_text(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("format", "") != kFormat) {
      throw std::runtime_error("it is not the JSON of `grade export`");
    }
    if (json.at("version") != Results::version) {
      throw std::runtime_error(fmt::format("it has version {}, and this tool reads {}",
                                           json.at("version").dump(), Results::version));
    }
    Results results;
    json.at("course").get_to(results.course);
    json.at("time").get_to(results.time);
    json.at("backend").get_to(results.backend);
    if (!json.at("seed").is_null()) json.at("seed").get_to(results.seed);
    json.at("hidden_inputs").get_to(results.hidden);
    for (const Json& each : json.at("lessons")) {
      results.lessons.push_back(
          {each.at("lesson"), each.at("number"), each.at("title"), each.at("points")});
    }
    for (const Json& each : json.at("students")) {
      Student student;
      each.at("name").get_to(student.name);
      for (const Json& mark : each.at("marks")) student.marks.push_back(mark_from(mark));
      each.at("remarks").get_to(student.remarks);
      results.students.push_back(std::move(student));
    }
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("it cannot be read: {}", error.what()));
  }
}

}  // namespace grade::classroom
