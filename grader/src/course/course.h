// The course: its parts and the lessons that this copy of the workbook holds.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "course/lesson.h"

namespace grade {

struct Paths;

struct Part {
  int number = 0;
  std::string title;
  std::string about;
  int first = 0;  // lesson numbers, both included
  int last = 0;

  int count() const { return last - first + 1; }
};

// A lesson whose front matter cannot be used: it alone is left out.
struct BrokenLesson {
  std::string directory;
  int number = 0;
  std::string what;  // as an Error's
  std::string next;
};

class Course {
 public:
  // Reads lessons/course.json and every lesson's front matter. Throws Error(unavailable) where
  // the former is wrong.
  static Course load(const Paths& paths);

  std::string title;
  std::string line;  // the course in one line
  double hours = 0;
  std::vector<Part> parts;
  std::vector<Lesson> lessons;       // by number; a number of a part may be missing from this copy
  std::vector<BrokenLesson> broken;  // by number
  // Folders NNN_slug that hold no lesson: an update took it away or gave it another name.
  std::vector<std::filesystem::path> left_folders;

  // By number ("7", "007"), directory ("007_elementwise_multiply"), slug, or a part of a slug that
  // fits only one lesson. Throws Error(usage) that lists the candidates, or Error(unavailable) for
  // one that is broken.
  const Lesson& find(std::string_view name) const;
  const Lesson* by_number(int number) const;  // nullptr when this copy does not hold it
  // The lesson that a folder's name, of this version or an earlier one, stands for: the slug
  // decides, or else one that a lesson had formerly; numbers may change. nullptr when there is
  // none.
  const Lesson* known_as(std::string_view directory) const;
  const Part* part_of(int lesson) const;

  // Of the whole course, lessons missing from this copy included at the usual 5 XP.
  int lesson_count() const;
  int total_xp() const;
};

}  // namespace grade
