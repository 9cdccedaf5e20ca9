#include "progress/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "course/course.h"
#include "system/clock.h"

namespace grade {
namespace {

using Json = nlohmann::ordered_json;

// A longer silence than this between two commands was not work on the lesson.
constexpr std::int64_t longest_gap = 20 * 60;

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

template <class T>
T value(const Json& object, const char* field, T otherwise) {
  const auto found = object.find(field);
  return found == object.end() ? otherwise : found->get<T>();
}

std::optional<Pass> read_pass(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  if (found == entry.end()) return std::nullopt;
  return Pass{value<std::string>(*found, "time", ""), value<std::string>(*found, "backend", ""),
              value<std::uint64_t>(*found, "seed", 0),
              value<std::string>(*found, "kernel_hash", "")};
}

Json write_pass(const Attempt& attempt, const std::string& time) {
  return {{"time", time},
          {"backend", attempt.backend},
          {"seed", attempt.seed},
          {"kernel_hash", attempt.kernel_hash}};
}

// The earlier of two entries by a time that each has; or the only one.
void keep_earlier(Json& to, const Json& from, const char* field, const char* time) {
  if (!from.contains(field)) return;
  const auto when = [&](const Json& entry) {
    return time == nullptr ? entry.at(field).get<std::string>()
                           : value<std::string>(entry.at(field), time, "");
  };
  if (!to.contains(field) || when(from) < when(to)) to[field] = from[field];
}

// "hints" alone is of an older tool, which showed them in order.
std::vector<int> hints_seen(const Json& entry) {
  std::vector<int> seen;
  if (const auto list = entry.find("hints_seen"); list != entry.end() && list->is_array()) {
    for (const Json& each : *list) {
      if (each.is_number_integer()) seen.push_back(each.get<int>());
    }
    return seen;
  }
  for (int hint = 1; hint <= value<int>(entry, "hints", 0); ++hint) seen.push_back(hint);
  return seen;
}

void add_hint_seen(Json& entry, int hint) {
  std::vector<int> seen = hints_seen(entry);
  if (std::find(seen.begin(), seen.end(), hint) == seen.end()) seen.push_back(hint);
  entry["hints"] = seen.size();
  entry["hints_seen"] = seen;
}

// What the latest attempt looked like; absent after a pass.
constexpr std::array kLookedLike{"last_mistake", "last_finding"};

// Adds what another entry of the same lesson holds.
void add_entry(Json& to, const Json& from) {
  for (const char* sum : {"attempts", "seconds"}) {
    if (from.contains(sum))
      to[sum] = value<std::int64_t>(to, sum, 0) + from[sum].get<std::int64_t>();
  }
  for (const int hint : hints_seen(from)) add_hint_seen(to, hint);
  keep_earlier(to, from, "first_pass", "time");
  keep_earlier(to, from, "spoiled", nullptr);
  const auto last_pass = [](const Json& entry) {
    return entry.contains("last_pass") ? value<std::string>(entry["last_pass"], "time", "") : "";
  };
  if (last_pass(from) > last_pass(to)) to["last_pass"] = from["last_pass"];
  if (value<std::string>(from, "last_time", "") > value<std::string>(to, "last_time", "")) {
    to["last_time"] = from["last_time"];
    to["last_status"] = value<std::string>(from, "last_status", "");
    for (const char* field : kLookedLike) {
      to.erase(field);
      if (from.contains(field)) to[field] = from[field];
    }
  }
  if (from.contains("quiz")) {
    for (const auto& [question, answer] : from["quiz"].items()) {
      Json& all = to["quiz"];
      if (!all.contains(question)) {
        all[question] = answer;
        continue;
      }
      Json& known = all[question];
      known["correct"] =
          value<bool>(known, "correct", false) || value<bool>(answer, "correct", false);
      known["tries"] = value<int>(known, "tries", 0) + value<int>(answer, "tries", 0);
    }
  }
  if (from.contains("times")) {
    for (const auto& [device, shapes] : from["times"].items()) {
      for (const auto& [shape, best] : shapes.items()) {
        Json& known = to["times"][device][shape];
        if (known.is_null() || best.at("seconds") < known.at("seconds")) known = best;
      }
    }
  }
  for (const auto& [field, content] : from.items()) {
    const bool looked_like =
        std::find(kLookedLike.begin(), kLookedLike.end(), field) != kLookedLike.end();
    if (!to.contains(field) && !looked_like) to[field] = content;
  }
}

void increment(Json& object, const char* field, std::int64_t by = 1) {
  object[field] = value<std::int64_t>(object, field, 0) + by;
}

}  // namespace

struct Progress::Document {
  Json json;

  Json& entry(std::string_view directory) {
    Json& lessons = json["lessons"];
    const std::string name(directory);
    if (!lessons.contains(name)) {
      lessons[name] = Json::object();
      lessons[name]["attempts"] = 0;
    }
    return lessons[name];
  }

  Json& today() {
    Json& days = json["days"];
    const std::string name = local_day(now_seconds());
    if (!days.contains(name)) days[name] = Json::object();
    return days[name];
  }

  // Null when nothing is recorded of the lesson.
  const Json* find(std::string_view directory) const {
    const Json& lessons = json.at("lessons");
    const auto found = lessons.find(std::string(directory));
    return found == lessons.end() ? nullptr : &*found;
  }
};

Progress::Progress() : document_(std::make_unique<Document>()) {
  Json& json = document_->json;
  json["version"] = version;
  json["about"] = "A learner's progress; docs/progress.md describes the fields.";
  json["days"] = Json::object();
  json["lessons"] = Json::object();
}

Progress::~Progress() = default;
Progress::Progress(const Progress& other)
    : document_(std::make_unique<Document>(*other.document_)) {}
Progress::Progress(Progress&& other) noexcept = default;
Progress& Progress::operator=(Progress other) noexcept {
  document_ = std::move(other.document_);
  return *this;
}

int Progress::version_of(std::string_view text) {
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) return 0;
  const auto found = document.find("version");
  return found != document.end() && found->is_number_integer() ? found->get<int>() : 0;
}

Progress Progress::parse(std::string_view text) {
  Progress progress;
  if (text.empty()) damaged("it is empty");
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) damaged("it is not valid JSON");
  if (!document.is_object() || !document.contains("version")) damaged("it has no \"version\"");
  check(document, "version", Kind::count, "the file");
  if (document["version"] != version) damaged("its version is not one that this tool reads");
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
  progress.document_->json = std::move(document);
  return progress;
}

std::string Progress::text() const {
  return document_->json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void Progress::rename_lessons(const std::function<std::string(const std::string&)>& current_name) {
  Json& lessons = document_->json["lessons"];
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const auto& [name, entry] : lessons.items()) {
    std::string now = current_name(name);
    if (now != name) renamed.emplace_back(name, std::move(now));
  }
  for (const auto& [before, now] : renamed) {
    const Json entry = lessons[before];
    lessons.erase(before);
    if (lessons.contains(now)) {
      add_entry(lessons[now], entry);
    } else {
      lessons[now] = entry;
    }
  }
}

LessonProgress Progress::lesson(std::string_view directory) const {
  LessonProgress lesson;
  const Json* found = document_->find(directory);
  if (found == nullptr) return lesson;
  const Json& entry = *found;
  lesson.attempts = value<int>(entry, "attempts", 0);
  lesson.last_status = value<std::string>(entry, "last_status", "");
  lesson.last_time = value<std::string>(entry, "last_time", "");
  lesson.first_pass = read_pass(entry, "first_pass");
  lesson.last_pass = read_pass(entry, "last_pass");
  lesson.last_mistake = value<std::string>(entry, "last_mistake", "");
  lesson.last_finding = value<std::string>(entry, "last_finding", "");
  lesson.hints = hints_seen(entry);
  lesson.spoiled = entry.contains("spoiled");
  lesson.seconds = value<std::int64_t>(entry, "seconds", 0);
  if (entry.contains("quiz")) {
    for (const auto& [question, answer] : entry["quiz"].items()) {
      lesson.quiz[question] = {value<std::string>(answer, "answer", ""),
                               value<bool>(answer, "correct", false),
                               value<int>(answer, "tries", 0)};
    }
  }
  return lesson;
}

bool Progress::passed(std::string_view directory) const {
  const Json* found = document_->find(directory);
  return found != nullptr && found->contains("first_pass");
}

std::vector<Day> Progress::days() const {
  std::vector<Day> days;
  for (const auto& [name, day] : document_->json.at("days").items()) {
    days.push_back({name, value<int>(day, "attempts", 0), value<int>(day, "passed", 0),
                    value<std::int64_t>(day, "seconds", 0)});
  }
  std::sort(days.begin(), days.end(), [](const Day& a, const Day& b) { return a.day < b.day; });
  return days;
}

void Progress::add_activity(std::string_view directory) {
  const std::int64_t now = now_seconds();
  const auto last = parse_utc_time(value<std::string>(document_->json, "last_activity", ""));
  // What lies between two commands was spent on the lesson that the second one names.
  const std::int64_t gap = last ? now - *last : 0;
  if (gap > 0 && gap <= longest_gap) {
    increment(document_->entry(directory), "seconds", gap);
    increment(document_->today(), "seconds", gap);
  }
  document_->json["last_activity"] = utc_time(now);
}

void Progress::add_attempt(std::string_view directory, const Attempt& attempt) {
  add_activity(directory);
  const std::string time = utc_time(now_seconds());
  Json& lesson = document_->entry(directory);
  increment(lesson, "attempts");
  lesson["last_status"] = attempt.status;
  lesson["last_time"] = time;
  for (const auto& [field, text] :
       {std::pair("last_mistake", attempt.mistake), std::pair("last_finding", attempt.finding)}) {
    if (text.empty()) {
      lesson.erase(field);
    } else {
      lesson[field] = text;
    }
  }
  increment(document_->today(), "attempts");
  if (attempt.status != "passed") return;
  const Json pass = write_pass(attempt, time);
  if (!lesson.contains("first_pass")) {
    lesson["first_pass"] = pass;
    increment(document_->today(), "passed");
  }
  lesson["last_pass"] = pass;
}

void Progress::add_hint(std::string_view directory, int hint) {
  add_activity(directory);
  add_hint_seen(document_->entry(directory), hint);
}

void Progress::add_spoiler(std::string_view directory) {
  add_activity(directory);
  Json& lesson = document_->entry(directory);
  if (!lesson.contains("spoiled")) lesson["spoiled"] = utc_time(now_seconds());
}

void Progress::add_answer(std::string_view directory, std::string_view question,
                          std::string_view answer, bool correct) {
  add_activity(directory);
  Json& all = document_->entry(directory)["quiz"];
  Json& stored = all[std::string(question)];
  const bool was_correct = value<bool>(stored, "correct", false);
  stored["answer"] = std::string(answer);
  stored["correct"] = was_correct || correct;
  increment(stored, "tries");
  stored["time"] = utc_time(now_seconds());
}

void Progress::set_completion(int steps, double first_loss, double last_loss) {
  document_->json["completed"] = {{"time", utc_time(now_seconds())},
                                  {"steps", steps},
                                  {"first_loss", first_loss},
                                  {"last_loss", last_loss}};
}

std::optional<Progress::Completion> Progress::completion() const {
  const auto found = document_->json.find("completed");
  if (found == document_->json.end() || !found->is_object()) return std::nullopt;
  return Completion{value<std::string>(*found, "time", ""), value<int>(*found, "steps", 0),
                    value<double>(*found, "first_loss", 0), value<double>(*found, "last_loss", 0)};
}

void Progress::set_benchmark(std::string_view directory, std::string_view json) {
  add_activity(directory);
  document_->entry(directory)["benchmark"] = Json::parse(json);
}

std::optional<std::string> Progress::benchmark(std::string_view directory) const {
  const Json* found = document_->find(directory);
  if (found == nullptr || !found->contains("benchmark")) return std::nullopt;
  return found->at("benchmark").dump();
}

void Progress::set_best_time(std::string_view directory, const BestTime& best) {
  add_activity(directory);
  Json kept{{"seconds", best.seconds}, {"reference_seconds", best.reference_seconds}};
  if (best.of_roofline > 0) kept["of_roofline"] = best.of_roofline;
  kept["time"] = utc_time(now_seconds());
  kept["kernel_hash"] = best.kernel_hash;
  document_->entry(directory)["times"][best.device][best.shape] = std::move(kept);
}

std::vector<BestTime> Progress::best_times(std::string_view directory) const {
  std::vector<BestTime> times;
  const Json* found = document_->find(directory);
  if (found == nullptr || !found->contains("times")) return times;
  for (const auto& [device, shapes] : found->at("times").items()) {
    for (const auto& [shape, best] : shapes.items()) {
      times.push_back({device, shape, value<double>(best, "seconds", 0),
                       value<double>(best, "reference_seconds", 0),
                       value<double>(best, "of_roofline", 0), value<std::string>(best, "time", ""),
                       value<std::string>(best, "kernel_hash", "")});
    }
  }
  return times;
}

int xp(const Course& course, const Progress& progress) {
  int total = 0;
  for (const Lesson& lesson : course.lessons) {
    if (progress.passed(lesson.directory())) total += lesson.xp;
  }
  return total;
}

const Lesson* next_lesson(const Course& course, const Progress& progress) {
  for (const Lesson& lesson : course.lessons) {
    if (!progress.passed(lesson.directory())) return &lesson;
  }
  return nullptr;
}

int streak(const Progress& progress) {
  std::vector<Day> days = progress.days();
  std::erase_if(days, [](const Day& day) { return day.attempts == 0; });
  const auto active = [&](const std::string& name) {
    return std::any_of(days.begin(), days.end(), [&](const Day& day) { return day.day == name; });
  };
  // Noon, so that the hour which summer time adds or takes leaves the day as it is.
  constexpr std::int64_t day_length = 24 * 60 * 60;
  std::int64_t time = now_seconds();
  if (!active(local_day(time))) time -= day_length;
  int length = 0;
  for (; active(local_day(time)); time -= day_length) ++length;
  return length;
}

}  // namespace grade
