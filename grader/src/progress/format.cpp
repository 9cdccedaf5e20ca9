#include "progress/format.h"

#include <fmt/core.h>

#include <stdexcept>
#include <string>

#include "progress/progress.h"

namespace grade {
namespace {

using Json = ProgressJson;

[[noreturn]] void damaged(const std::string& what) {
  throw std::runtime_error(what);
}

enum class Kind { object, text, count, boolean };

// A field of a known kind; absent is fine, another kind is damage.
void check(const Json& object, const char* field, Kind kind, const std::string& where) {
  const auto found = object.find(field);
  if (found == object.end()) return;
  const bool right = kind == Kind::object    ? found->is_object()
                     : kind == Kind::text    ? found->is_string()
                     : kind == Kind::boolean ? found->is_boolean()
                                             : found->is_number_integer() && *found >= 0;
  if (!right) damaged(fmt::format("field \"{}\" of {} is not what it should be", field, where));
}

void check_pass(const Json& entry, const char* field, const std::string& where) {
  check(entry, field, Kind::object, where);
  if (!entry.contains(field)) return;
  const Json& pass = entry[field];
  for (const char* text : {"time", "backend", "kernel_hash"}) {
    check(pass, text, Kind::text, where + "." + field);
    if (!pass.contains(text))
      damaged(fmt::format("\"{}\" of {} has no \"{}\"", field, where, text));
  }
  check(pass, "seed", Kind::count, where + "." + field);
}

// {device: {shape: {"seconds": ...}}}
void check_times(const Json& entry, const std::string& where) {
  check(entry, "times", Kind::object, where);
  if (!entry.contains("times")) return;
  for (const auto& [device, shapes] : entry["times"].items()) {
    if (!shapes.is_object()) damaged(fmt::format("{}.times.{} is not an object", where, device));
    for (const auto& [shape, best] : shapes.items()) {
      const std::string place = fmt::format("{}.times.{}.{}", where, device, shape);
      if (!best.is_object()) damaged(place + " is not an object");
      for (const char* number : {"seconds", "reference_seconds", "of_roofline"}) {
        const auto found = best.find(number);
        if (found != best.end() && !found->is_number()) {
          damaged(fmt::format("field \"{}\" of {} is no number", number, place));
        }
      }
      if (!best.contains("seconds")) damaged(place + " has no \"seconds\"");
      for (const char* text : {"time", "kernel_hash"}) check(best, text, Kind::text, place);
    }
  }
}

}  // namespace

ProgressJson parse_progress(std::string_view text) {
  if (text.empty()) damaged("it is empty");
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) damaged("it is not valid JSON");
  if (!document.is_object() || !document.contains("version")) damaged("it has no \"version\"");
  check(document, "version", Kind::count, "the file");
  if (document["version"] != Progress::version)
    damaged("its version is not one that this tool reads");
  check(document, "days", Kind::object, "the file");
  check(document, "lessons", Kind::object, "the file");
  check(document, "last_activity", Kind::text, "the file");
  for (const char* field : {"days", "lessons"}) {
    if (!document.contains(field)) document[field] = Json::object();
    for (const auto& [name, entry] : document[field].items()) {
      if (!entry.is_object())
        damaged(fmt::format("entry \"{}\" of \"{}\" is not an object", name, field));
      for (const char* count : {"attempts", "passed", "seconds", "hints"}) {
        check(entry, count, Kind::count, name);
      }
    }
  }
  for (const auto& [name, entry] : document["lessons"].items()) {
    for (const char* text_field :
         {"last_status", "last_time", "last_mistake", "last_finding", "spoiled"}) {
      check(entry, text_field, Kind::text, name);
    }
    check_pass(entry, "first_pass", name);
    check_pass(entry, "last_pass", name);
    check_times(entry, name);
    check(entry, "quiz", Kind::object, name);
    if (!entry.contains("quiz")) continue;
    for (const auto& [question, answer] : entry["quiz"].items()) {
      const std::string where = fmt::format("{}.quiz.{}", name, question);
      if (!answer.is_object()) damaged(where + " is not an object");
      check(answer, "answer", Kind::text, where);
      check(answer, "correct", Kind::boolean, where);
      check(answer, "tries", Kind::count, where);
    }
  }
  return document;
}

}  // namespace grade
