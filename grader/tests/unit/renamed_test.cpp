// What an update that renames lessons, or changes a stub, must leave whole.
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/error.h"
#include "course/course.h"
#include "progress/progress.h"
#include "progress/store.h"
#include "scratch.h"
#include "workspace/workspace.h"

using grade::Course;
using grade::Progress;
using grade::Workspace;

namespace {
namespace fs = std::filesystem;

struct Renamed {
  Scratch scratch;
  grade::Paths paths = scratch.course();
  std::string stub = scratch.read("lessons/001_add_one/stub.cu");

  // Lesson 001_add_one, used and edited, becomes 001_plus_one.
  void rename(const std::string& kernel, const std::string& formerly) const {
    {
      const Course before = Course::load(paths);
      Workspace(paths).kernel(*before.by_number(1));
    }
    if (!kernel.empty()) scratch.write("lessons/001_add_one/kernel.cu", kernel);
    fs::create_directory(scratch.path() / "lessons/001_plus_one");
    std::string notes = scratch.read("lessons/001_add_one/lesson.md");
    notes.replace(notes.find("\"add_one\""), 9, "\"plus_one\"" + formerly);
    scratch.write("lessons/001_plus_one/lesson.md", notes);
    fs::remove(scratch.path() / "lessons/001_add_one/lesson.md");
    fs::rename(scratch.path() / "lessons/001_add_one/stub.cu",
               scratch.path() / "lessons/001_plus_one/stub.cu");
  }
};

constexpr const char* kFormerly = ", \"formerly\": [\"add_one\", \"increment\"]";
}  // namespace

TEST_CASE("a lesson is known by its slug, by former ones, and by any number") {
  const Renamed r;
  r.rename("mine", kFormerly);
  const Course course = Course::load(r.paths);
  const grade::Lesson* lesson = course.by_number(1);
  for (const char* name :
       {"001_plus_one", "plus_one", "017_plus_one", "001_add_one", "add_one", "099_increment"}) {
    CHECK(course.known_as(name) == lesson);
    CHECK(&course.find(name) == lesson);
  }
  CHECK(course.known_as("001_nothing") == nullptr);
  CHECK(course.known_as("001_") == nullptr);
  REQUIRE(course.left_folders.size() == 1);
}

TEST_CASE("two lessons cannot have had the same name") {
  const Renamed r;
  r.rename("mine", ", \"formerly\": [\"add_two\"]");
  const Course course = Course::load(r.paths);  // the lesson that claims it is left out
  REQUIRE(course.broken.size() == 1);
  CHECK(
      course.broken[0].what.ends_with("\"formerly\" has add_two, which is a name of 002_add_two"));
  CHECK(course.by_number(2) != nullptr);
}

TEST_CASE("a kernel moves with its lesson") {
  const Renamed r;
  r.rename("mine", kFormerly);
  const Course course = Course::load(r.paths);
  Workspace workspace(r.paths);
  workspace.follow_renamed(course);
  CHECK(r.scratch.read("lessons/001_plus_one/kernel.cu") == "mine");
  CHECK(r.scratch.read(".grade/stubs/001_plus_one.cu") == r.stub);
  CHECK_FALSE(r.scratch.has("lessons/001_add_one"));
  workspace.kernel(*course.by_number(1));
  CHECK(r.scratch.read("lessons/001_plus_one/kernel.cu") == "mine");
  CHECK(workspace.backups().empty());
}

TEST_CASE("work under both names is kept") {
  const Renamed r;
  r.rename("mine", kFormerly);
  r.scratch.write("lessons/001_plus_one/kernel.cu", "newer");
  const Course course = Course::load(r.paths);
  Workspace workspace(r.paths);
  workspace.follow_renamed(course);
  CHECK(r.scratch.read("lessons/001_plus_one/kernel.cu") == "newer");
  REQUIRE(workspace.backups().size() == 1);
  CHECK(r.scratch.read(workspace.backups()[0].file) == "mine");
  CHECK_FALSE(r.scratch.has("lessons/001_add_one"));
}

TEST_CASE("a folder that holds more is left, and so is a lesson without a successor") {
  {
    const Renamed r;
    r.rename("mine", kFormerly);
    r.scratch.write("lessons/001_add_one/notes.txt", "my notes");
    Workspace(r.paths).follow_renamed(Course::load(r.paths));
    CHECK(r.scratch.read("lessons/001_add_one/notes.txt") == "my notes");
    CHECK(r.scratch.read("lessons/001_plus_one/kernel.cu") == "mine");
  }
  const Renamed r;
  r.rename("mine", "");
  Workspace(r.paths).follow_renamed(Course::load(r.paths));
  CHECK(r.scratch.read("lessons/001_add_one/kernel.cu") == "mine");
}

TEST_CASE("progress follows a renamed lesson, and is saved under its new name") {
  const Renamed r;
  r.rename("mine", kFormerly);
  const Course course = Course::load(r.paths);
  const auto now = [&](const std::string& name) {
    const grade::Lesson* lesson = course.known_as(name);
    return lesson == nullptr ? name : lesson->directory();
  };
  r.scratch.write("progress.json", R"({"version": 1, "lessons": {
    "001_add_one": {"attempts": 3, "hints": 2, "seconds": 60, "last_status": "passed", "last_time": "2025-03-09T12:00:00Z",
      "first_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"},
      "last_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"},
      "quiz": {"sum": {"answer": "42", "correct": true, "tries": 1}}, "later": "a field of a later tool"},
    "042_gone": {"attempts": 1}}})");
  grade::ProgressStore store(r.paths.progress(), now);
  CHECK(store.read().passed("001_plus_one"));
  CHECK(grade::xp(course, store.read()) == 5);
  CHECK(r.scratch.read("progress.json").find("001_add_one") != std::string::npos);

  store.update([](Progress& progress) { progress.add_hint("001_plus_one", 3); });
  const std::string saved = r.scratch.read("progress.json");
  CHECK(saved.find("001_add_one") == std::string::npos);
  CHECK(saved.find("042_gone") != std::string::npos);
  CHECK(saved.find("a field of a later tool") != std::string::npos);
  const Progress after = grade::ProgressStore(r.paths.progress()).read();
  CHECK(after.lesson("001_plus_one").attempts == 3);
  CHECK(after.lesson("001_plus_one").hints == std::vector<int>{1, 2, 3});
  CHECK(after.lesson("001_plus_one").quiz.at("sum").correct);
}

TEST_CASE("entries under two names of a lesson become one that has lost nothing") {
  Progress progress = Progress::parse(R"({"version": 1, "lessons": {
    "new": {"attempts": 2, "hints": 1, "last_finding": "race", "seconds": 5, "last_status": "failed", "last_time": "2025-03-10T12:00:00Z",
      "spoiled": "2025-03-08T12:00:00Z",
      "quiz": {"a": {"answer": "1", "correct": false, "tries": 2}}},
    "old": {"attempts": 3, "hints": 2, "last_mistake": "not this", "seconds": 7, "last_status": "passed", "last_time": "2025-03-09T12:00:00Z",
      "first_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"},
      "last_pass": {"time": "2025-03-09T12:00:00Z", "backend": "cpu", "seed": 1, "kernel_hash": "x"},
      "quiz": {"a": {"answer": "2", "correct": true, "tries": 1}, "b": {"answer": "3", "correct": true, "tries": 1}}}}})");
  progress.rename_lessons([](const std::string& name) { return name == "old" ? "new" : name; });
  const grade::LessonProgress lesson = progress.lesson("new");
  CHECK(lesson.attempts == 5);
  CHECK(lesson.hints == std::vector<int>{1, 2});
  CHECK(lesson.seconds == 12);
  CHECK(lesson.passed());
  CHECK(lesson.last_pass->kernel_hash == "x");
  CHECK(lesson.last_status == "failed");
  CHECK(lesson.last_finding == "race");
  CHECK(lesson.last_mistake.empty());
  CHECK(lesson.spoiled);
  CHECK(lesson.quiz.at("a").correct);
  CHECK(lesson.quiz.at("a").tries == 3);
  CHECK(lesson.quiz.at("b").answer == "3");
  CHECK_FALSE(progress.lesson("old").touched());
}

TEST_CASE("a stub that changes under work is noticed, until the learner has seen to it") {
  for (const char* end : {"keep", "take over", "reset", "back", "made anew"}) {
    CAPTURE(end);
    const Scratch scratch;
    const grade::Paths paths = scratch.course();
    const Course course = Course::load(paths);
    const grade::Lesson& lesson = *course.by_number(1);
    Workspace workspace(paths);
    workspace.kernel(lesson);
    const std::string first = scratch.read("lessons/001_add_one/stub.cu");
    scratch.write("lessons/001_add_one/kernel.cu", "mine");
    CHECK_FALSE(workspace.stub_change(lesson));
    scratch.write("lessons/001_add_one/stub.cu", "// second\n" + first);
    workspace.kernel(lesson);
    scratch.write("lessons/001_add_one/stub.cu", "// third\n" + first);
    workspace.kernel(lesson);
    CHECK(scratch.read("lessons/001_add_one/kernel.cu") == "mine");
    const auto change = workspace.stub_change(lesson);
    REQUIRE(change);
    CHECK(scratch.read(change->base) == first);  // not the second, under which nothing was written
    const std::string how = end;
    if (how == "keep") workspace.keep(lesson);
    if (how == "take over") {
      const grade::Backup backup = workspace.take_over(lesson, "merged");
      CHECK(scratch.read(backup.file) == "mine");
      CHECK(scratch.read("lessons/001_add_one/kernel.cu") == "merged");
    }
    if (how == "reset") workspace.reset(lesson);
    if (how == "back") {
      scratch.write("lessons/001_add_one/stub.cu", first);
      workspace.look_at_stub(lesson);
    }
    if (how == "made anew") {
      fs::remove(lesson.kernel());
      workspace.kernel(lesson);
    }
    CHECK_FALSE(workspace.stub_change(lesson));
  }
}
