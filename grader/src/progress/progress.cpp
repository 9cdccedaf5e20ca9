#include "progress/progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "course/course.h"
#include "progress/entry.h"
#include "progress/format.h"
#include "system/clock.h"

namespace grade {
namespace {

using Json = ProgressJson;

// A longer silence than this between two commands was not work on the lesson.
constexpr std::int64_t longest_gap = 20 * 60;

std::optional<Pass> read_pass(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  if (found == entry.end()) return std::nullopt;
  return Pass{
      field_or<std::string>(*found, "time", ""), field_or<std::string>(*found, "backend", ""),
      field_or<std::uint64_t>(*found, "seed", 0), field_or<std::string>(*found, "kernel_hash", "")};
}

Json write_pass(const Attempt& attempt, const std::string& time) {
  return {{"time", time},
          {"backend", attempt.backend},
          {"seed", attempt.seed},
          {"kernel_hash", attempt.kernel_hash}};
}

void increment(Json& object, const char* field, std::int64_t by = 1) {
  object[field] = field_or<std::int64_t>(object, field, 0) + by;
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
  progress.document_->json = parse_progress(text);
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
      merge_entry(lessons[now], entry);
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
  lesson.attempts = field_or<int>(entry, "attempts", 0);
  lesson.last_status = field_or<std::string>(entry, "last_status", "");
  lesson.last_time = field_or<std::string>(entry, "last_time", "");
  lesson.first_pass = read_pass(entry, "first_pass");
  lesson.last_pass = read_pass(entry, "last_pass");
  lesson.last_mistake = field_or<std::string>(entry, "last_mistake", "");
  lesson.last_finding = field_or<std::string>(entry, "last_finding", "");
  lesson.hints = hints_seen(entry);
  lesson.spoiled = entry.contains("spoiled");
  lesson.seconds = field_or<std::int64_t>(entry, "seconds", 0);
  if (entry.contains("quiz")) {
    for (const auto& [question, answer] : entry["quiz"].items()) {
      lesson.quiz[question] = {field_or<std::string>(answer, "answer", ""),
                               field_or<bool>(answer, "correct", false),
                               field_or<int>(answer, "tries", 0)};
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
    days.push_back({name, field_or<int>(day, "attempts", 0), field_or<int>(day, "passed", 0),
                    field_or<std::int64_t>(day, "seconds", 0)});
  }
  std::sort(days.begin(), days.end(), [](const Day& a, const Day& b) { return a.day < b.day; });
  return days;
}

void Progress::add_activity(std::string_view directory) {
  const std::int64_t now = now_seconds();
  const auto last = parse_utc_time(field_or<std::string>(document_->json, "last_activity", ""));
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
  const bool was_correct = field_or<bool>(stored, "correct", false);
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
  return Completion{field_or<std::string>(*found, "time", ""), field_or<int>(*found, "steps", 0),
                    field_or<double>(*found, "first_loss", 0),
                    field_or<double>(*found, "last_loss", 0)};
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
      times.push_back({device, shape, field_or<double>(best, "seconds", 0),
                       field_or<double>(best, "reference_seconds", 0),
                       field_or<double>(best, "of_roofline", 0),
                       field_or<std::string>(best, "time", ""),
                       field_or<std::string>(best, "kernel_hash", "")});
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
