#include "course/course.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cli/edit_distance.h"
#include "cli/error.h"

namespace grade {
namespace {

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

}  // namespace

const Lesson& Course::find(std::string_view name) const {
  const std::string wanted = normalized(name);
  int number = 0;
  const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool is_number = status == std::errc() && end == wanted.data() + wanted.size();
  for (const BrokenLesson& each : broken) {
    const bool named = is_number ? each.number == number && by_number(number) == nullptr
                                 : each.directory == wanted || each.directory.substr(4) == wanted;
    if (named) throw Error(Exit::unavailable, each.what, each.next);
  }
  if (is_number) {
    if (const Lesson* lesson = by_number(number)) return *lesson;
    if (part_of(number) != nullptr) {
      throw Error(Exit::usage, fmt::format("lesson {} is not in this copy of the workbook", number),
                  "`grade list` shows the lessons that are here; an update may bring more.");
    }
    throw Error(Exit::usage, fmt::format("there is no lesson {}: the lessons are 1 to {}", name,
                                         lesson_count()));
  }

  if (const Lesson* lesson = known_as(wanted)) return *lesson;
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
              "A lesson is named by its number (7), its name, or a unique part of its name.\n"
              "`grade list` shows them all.");
}

const Lesson* Course::by_number(int number) const {
  for (const Lesson& lesson : lessons) {
    if (lesson.number == number) return &lesson;
  }
  return nullptr;
}

const Lesson* Course::known_as(std::string_view directory) const {
  std::string_view slug = directory;
  if (slug.size() > 4 && slug[3] == '_' && slug.find_first_not_of("0123456789") == 3) {
    slug.remove_prefix(4);
  }
  for (const Lesson& lesson : lessons) {
    if (lesson.slug == slug) return &lesson;
  }
  for (const Lesson& lesson : lessons) {
    const auto& names = lesson.formerly;
    if (std::find(names.begin(), names.end(), slug) != names.end()) return &lesson;
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
