#include "classroom/submissions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "cli/error.h"

namespace grade::classroom {
namespace {

namespace fs = std::filesystem;

using Lessons = std::vector<const Lesson*>;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The lesson that a name begins with: 001_matmul_nn, and what learning platforms make of it when a
// file comes twice: "001_matmul_nn-1", "001_matmul_nn (2)".
const Lesson* named_lesson(const std::string& name, const Course& course) {
  const std::string wanted = lower(name);
  const Lesson* found = nullptr;
  for (const Lesson& lesson : course.lessons) {
    const std::string directory = lower(lesson.directory());
    if (!wanted.starts_with(directory)) continue;
    const std::string rest = wanted.substr(directory.size());
    const bool whole = rest.empty() || rest.front() == '-' || rest.front() == ' ';
    if (whole) found = &lesson;
  }
  return found;
}

// By name without the extension, so that a file comes before its namesakes with a number.
std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(a.stem(), a) < std::pair(b.stem(), b);
  });
  return entries;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::directory;
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::symlink;
}

bool is_source(const fs::path& path) {
  return lower(path.extension().string()) == ".cu";
}

class Collector {
 public:
  Collector(const fs::path& base, const Course& course, const Lessons& lessons)
      : base_(base), course_(course), lessons_(lessons) {}

  HandedIn student_folder(const fs::path& folder) {
    HandedIn student{folder.filename().string(), {}, {}};
    std::vector<fs::path> nameless;
    for (const fs::path& entry : sorted_entries(folder)) {
      const Lesson* lesson = named_lesson(entry.stem().string(), course_);
      const bool all_lessons = entry.filename() == "lessons";
      if (is_link(entry) && (lesson != nullptr || all_lessons || is_source(entry))) {
        student.remarks.push_back(shown(entry) + ": a symbolic link, which is not followed");
      } else if (is_folder(entry) && all_lessons) {
        for (const fs::path& each : sorted_entries(entry)) lesson_folder(student, each);
      } else if (is_folder(entry)) {
        lesson_folder(student, entry);
      } else if (is_source(entry) && lesson != nullptr) {
        add(student, *lesson, entry);
      } else if (is_source(entry)) {
        nameless.push_back(entry);
      }
    }
    const bool only = nameless.size() == 1 && lessons_.size() == 1 && student.submissions.empty();
    for (const fs::path& file : nameless) {
      if (only) {
        add(student, *lessons_.front(), file);
      } else {
        student.remarks.push_back(shown(file) + ": the name is no lesson's (NNN_slug.cu)");
      }
    }
    std::sort(student.submissions.begin(), student.submissions.end(),
              [](const auto& a, const auto& b) { return a.lesson->number < b.lesson->number; });
    return student;
  }

  HandedIn student_file(const fs::path& file) {
    HandedIn student{file.stem().string(), {}, {}};
    add(student, *lessons_.front(), file);
    return student;
  }

 private:
  std::string shown(const fs::path& file) const { return file.lexically_relative(base_).string(); }

  // NNN_slug/kernel.cu; a folder that is no lesson's is nobody's business.
  void lesson_folder(HandedIn& student, const fs::path& folder) {
    const Lesson* lesson = named_lesson(folder.filename().string(), course_);
    std::error_code error;
    const fs::path kernel = folder / "kernel.cu";
    if (lesson == nullptr || fs::symlink_status(kernel, error).type() == fs::file_type::not_found) {
      return;
    }
    if (is_folder(folder)) {
      add(student, *lesson, kernel);
    } else {
      student.remarks.push_back(shown(folder) + ": a symbolic link, which is not followed");
    }
  }

  void add(HandedIn& student, const Lesson& lesson, const fs::path& file) {
    const bool wanted =
        lessons_.empty() || std::find(lessons_.begin(), lessons_.end(), &lesson) != lessons_.end();
    if (!wanted) return;
    std::error_code error;
    if (is_link(file)) {
      student.remarks.push_back(shown(file) + ": a symbolic link, which is not followed");
      return;
    }
    if (!fs::is_regular_file(file, error)) {
      student.remarks.push_back(shown(file) + ": not a file that can be read");
      return;
    }
    for (const Submission& other : student.submissions) {
      if (other.lesson != &lesson) continue;
      student.remarks.push_back(fmt::format("{}: lesson {} was handed in as {} already",
                                            shown(file), lesson.number, other.shown));
      return;
    }
    student.submissions.push_back({&lesson, file, shown(file)});
  }

  const fs::path& base_;
  const Course& course_;
  const Lessons& lessons_;
};

}  // namespace

std::vector<HandedIn> find_submissions(const fs::path& folder, const Course& course,
                                       const Lessons& lessons) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw Error(Exit::usage, fmt::format("there is no folder {}", folder.string()),
                "--dir takes the folder that holds a folder for each student.");
  }
  const fs::path base = fs::canonical(folder, error);
  Collector collector(base, course, lessons);
  std::vector<HandedIn> students;
  std::string loose;
  for (const fs::path& entry : sorted_entries(base)) {
    if (entry.filename().string().starts_with('.')) continue;
    if (is_link(entry)) {
      students.push_back(
          {entry.filename().string(), {}, {"a symbolic link, which is not followed"}});
    } else if (is_folder(entry)) {
      students.push_back(collector.student_folder(entry));
    } else if (is_source(entry) && lessons.size() == 1) {
      students.push_back(collector.student_file(entry));
    } else if (is_source(entry) && loose.empty()) {
      loose = entry.filename().string();
    }
  }
  if (!loose.empty()) {
    throw Error(Exit::usage,
                fmt::format("{} lies in the folder itself, and belongs to no student", loose),
                "Give each student a folder (STUDENT/NNN_slug.cu), or name the one lesson that all "
                "files are for: STUDENT.cu is then one student's file.");
  }
  if (students.empty()) {
    throw Error(Exit::usage, fmt::format("nothing was handed in: {} is empty", folder.string()),
                "It should hold STUDENT/NNN_slug.cu or STUDENT/lessons/NNN_slug/kernel.cu.");
  }
  return students;
}

HandedIn single_submission(const fs::path& path, const Course& course, const Lessons& lessons) {
  std::error_code error;
  const fs::path given = fs::weakly_canonical(path, error);
  if (fs::is_directory(given, error)) {
    return Collector(given, course, lessons).student_folder(given);
  }
  if (!fs::is_regular_file(given, error)) {
    throw Error(Exit::usage, fmt::format("there is no file {}", path.string()),
                "--file takes the path of a .cu file, or of one student's folder.");
  }
  const Lesson* lesson = lessons.size() == 1 ? lessons.front() : nullptr;
  if (lesson == nullptr) lesson = named_lesson(given.stem().string(), course);
  if (lesson == nullptr) {
    lesson = named_lesson(given.parent_path().filename().string(), course);
  }
  if (lesson == nullptr) {
    throw Error(Exit::usage,
                fmt::format("which lesson is {}? Its name is no lesson's", path.string()),
                "Name the lesson: grade export LESSON --file PATH.");
  }
  return {given.stem().string(), {{lesson, given, path.string()}}, {}};
}

}  // namespace grade::classroom
