#include "course/course.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cli/edit_distance.h"
#include "course/fields.h"
#include "system/files.h"
#include "system/paths.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

constexpr int usual_xp = 5;

// Lower case, "-" and space as "_"; of a path below lessons/ only the lesson's folder.
std::string normalized(std::string_view name) {
  std::string text(name);
  if (const std::size_t at = text.rfind("lessons/"); at != std::string::npos) {
    text.erase(0, at + std::string_view("lessons/").size());
    text.erase(std::min(text.find('/'), text.size()));
  }
  while (!text.empty() && text.back() == '/') text.pop_back();
  for (char& c : text) {
    c = c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string listed(const std::vector<const Lesson*>& lessons) {
  std::string text;
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < lessons.size() && i < most; ++i) {
    text += fmt::format("\n  {:03}  {}", lessons[i]->number, lessons[i]->slug);
  }
  if (lessons.size() > most) text += fmt::format("\n  and {} more", lessons.size() - most);
  return text;
}

bool is_lesson_folder(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code error;
  return name.size() > 4 && name[3] == '_' &&
         std::all_of(name.begin(), name.begin() + 3,
                     [](unsigned char c) { return std::isdigit(c); }) &&
         fs::is_regular_file(entry.path() / "lesson.md", error);
}

}  // namespace

Course Course::load(const Paths& paths) {
  Course course;
  const fs::path file = paths.lessons() / "course.json";
  const nlohmann::json data = parse_json(read_file(file), file.string(), 1);
  const Fields fields(data, file.string());
  course.title = fields.get<std::string>("title");
  course.line = fields.get<std::string>("line");
  course.hours = fields.get<double>("hours");
  const auto& parts = fields.list("parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Fields part = fields.entry("parts", parts[i], i);
    course.parts.push_back({part.get<int>("number"), part.get<std::string>("title"),
                            part.get<std::string>("about"), part.get<int>("first"),
                            part.get<int>("last")});
    const int expected = i == 0 ? 1 : course.parts[i - 1].last + 1;
    if (course.parts[i].first != expected) {
      part.fail("first", fmt::format("should be {}: parts follow each other", expected));
    }
    if (course.parts[i].last < expected) part.fail("last", "should not be smaller than \"first\"");
  }
  if (course.parts.empty()) fields.fail("parts", "should not be empty");

  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(paths.lessons(), error)) {
    if (is_lesson_folder(entry)) course.lessons.push_back(read_lesson(entry.path()));
  }
  std::sort(course.lessons.begin(), course.lessons.end(),
            [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
  for (std::size_t i = 0; i < course.lessons.size(); ++i) {
    const Lesson& lesson = course.lessons[i];
    const Part* part = course.part_of(lesson.number);
    if (part == nullptr || part->number != lesson.part) {
      throw Error(Exit::unavailable,
                  fmt::format("{}: field \"part\" is {}, and course.json puts lesson {} in {}",
                              lesson.notes_file().string(), lesson.part, lesson.number,
                              part == nullptr ? "no part" : fmt::format("part {}", part->number)),
                  Fields::repair);
    }
    if (i > 0 && course.lessons[i - 1].number == lesson.number) {
      throw Error(Exit::unavailable,
                  fmt::format("two lessons have the number {}: {} and {}", lesson.number,
                              course.lessons[i - 1].directory(), lesson.directory()),
                  "Give one of the folders another number.");
    }
  }
  return course;
}

const Lesson& Course::find(std::string_view name) const {
  const std::string wanted = normalized(name);
  int number = 0;
  const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (status == std::errc() && end == wanted.data() + wanted.size()) {
    if (const Lesson* lesson = by_number(number)) return *lesson;
    if (part_of(number) != nullptr) {
      throw Error(Exit::usage, fmt::format("lesson {} is not in this copy of the workbook", number),
                  "`grade list` shows the lessons that are here; an update may bring more.");
    }
    throw Error(Exit::usage, fmt::format("there is no lesson {}: the lessons are 1 to {}", name,
                                         lesson_count()));
  }

  std::vector<const Lesson*> fitting;
  for (const Lesson& lesson : lessons) {
    if (lesson.slug == wanted || lesson.directory() == wanted) return lesson;
    if (!wanted.empty() && lesson.directory().find(wanted) != std::string::npos) {
      fitting.push_back(&lesson);
    }
  }
  if (fitting.size() == 1) return *fitting.front();
  if (fitting.size() > 1) {
    throw Error(Exit::usage,
                fmt::format("\"{}\" fits {} lessons:{}", name, fitting.size(), listed(fitting)),
                "Name one by its number or its whole name.");
  }

  std::vector<const Lesson*> similar;
  for (const Lesson& lesson : lessons) {
    if (edit_distance(lesson.slug, wanted) <= 1 + wanted.size() / 4) similar.push_back(&lesson);
  }
  if (!similar.empty()) {
    throw Error(Exit::usage,
                fmt::format("no lesson is named \"{}\". Similar:{}", name, listed(similar)));
  }
  throw Error(Exit::usage, fmt::format("no lesson is named \"{}\"", name),
              "A lesson is named by its number (7), its name, or a part of its name that no other\n"
              "lesson has. `grade list` shows them all.");
}

const Lesson* Course::by_number(int number) const {
  for (const Lesson& lesson : lessons) {
    if (lesson.number == number) return &lesson;
  }
  return nullptr;
}

const Part* Course::part_of(int lesson) const {
  for (const Part& part : parts) {
    if (part.first <= lesson && lesson <= part.last) return &part;
  }
  return nullptr;
}

int Course::lesson_count() const {
  return parts.back().last;
}

int Course::total_xp() const {
  int total = usual_xp * (lesson_count() - static_cast<int>(lessons.size()));
  for (const Lesson& lesson : lessons) total += lesson.xp;
  return total;
}

}  // namespace grade
