#include "workspace/workspace.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/error.h"
#include "course/course.h"
#include "scratch.h"

using grade::Course;
using grade::Workspace;

namespace {
const char* stub_file = "lessons/001_add_one/stub.cu";
const char* kernel_file = "lessons/001_add_one/kernel.cu";

struct Fixture {
  Scratch scratch;
  grade::Paths paths = scratch.course();
  Course course = Course::load(paths);
  Workspace workspace{paths};
  const grade::Lesson& lesson = course.find("1");
  std::string stub = scratch.read(stub_file);

  std::string filled() const {
    std::string text = stub;
    return text.insert(text.find("// END TODO"), "int x;\n");
  }
  void git() const {
    const std::string command =
        "cd " + scratch.path().string() +
        " && git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm t";
    REQUIRE(std::system(command.c_str()) == 0);
  }
};
}  // namespace

TEST_CASE("the kernel is made from the stub, once") {
  Fixture f;
  CHECK(f.workspace.untouched(f.lesson));
  CHECK(f.workspace.kernel(f.lesson) == f.lesson.kernel());
  CHECK(f.scratch.read(kernel_file) == f.stub);
  CHECK(f.scratch.read(".grade/stubs/001_add_one.cu") == f.stub);
  f.scratch.write(kernel_file, "mine");
  f.workspace.kernel(f.lesson);
  CHECK(f.scratch.read(kernel_file) == "mine");
  CHECK_FALSE(f.workspace.untouched(f.lesson));
}

TEST_CASE("reset, undo, and undo of undo") {
  Fixture f;
  f.workspace.kernel(f.lesson);
  f.scratch.write(kernel_file, "mine");
  REQUIRE(f.workspace.reset(f.lesson));
  CHECK(f.scratch.read(kernel_file) == f.stub);
  f.workspace.restore(f.lesson, f.workspace.backups().back());
  CHECK(f.scratch.read(kernel_file) == "mine");
  f.workspace.restore(f.lesson, f.workspace.backups().back());
  CHECK(f.scratch.read(kernel_file) == f.stub);
  f.workspace.restore(f.lesson, f.workspace.backups().back());
  CHECK(f.scratch.read(kernel_file) == "mine");
  CHECK(f.workspace.backups().size() == 4);
  CHECK(f.workspace.backups("002_add_two").empty());
  CHECK(f.workspace.backups()[0].reason == "reset");
  CHECK(f.workspace.backups()[0].lesson == "001_add_one");
}

TEST_CASE("a stub edited by mistake is moved, with git and without") {
  for (const bool with_git : {false, true}) {
    for (const bool used_before : {false, true}) {
      if (!with_git && !used_before) continue;  // nothing to compare with
      CAPTURE(with_git);
      CAPTURE(used_before);
      Fixture f;
      if (with_git) f.git();
      if (used_before) f.workspace.kernel(f.lesson);
      f.scratch.write(stub_file, f.filled());
      f.workspace.kernel(f.lesson);
      CHECK(f.scratch.read(stub_file) == f.stub);
      CHECK(f.scratch.read(kernel_file) == f.filled());
    }
  }
}

TEST_CASE("a stub edited beside a kernel with work in it goes to the backups") {
  Fixture f;
  f.workspace.kernel(f.lesson);
  f.scratch.write(kernel_file, "mine");
  f.scratch.write(stub_file, f.filled());
  f.workspace.kernel(f.lesson);
  CHECK(f.scratch.read(stub_file) == f.stub);
  CHECK(f.scratch.read(kernel_file) == "mine");
  REQUIRE(f.workspace.backups().size() == 1);
  CHECK(f.scratch.read(f.workspace.backups()[0].file) == f.filled());
}

TEST_CASE("an update of the stub is taken over; an untouched kernel follows") {
  for (const bool touched : {false, true}) {
    Fixture f;
    f.workspace.kernel(f.lesson);
    if (touched) f.scratch.write(kernel_file, "mine");
    const std::string updated = "// a better comment\n" + f.stub;
    f.scratch.write(stub_file, updated);
    f.git();
    f.workspace.kernel(f.lesson);
    CHECK(f.scratch.read(stub_file) == updated);
    CHECK(f.scratch.read(kernel_file) == (touched ? "mine" : updated));
    CHECK(f.workspace.backups().empty());
  }
}

TEST_CASE("an author's stub is left alone") {
  Fixture f;
  f.git();
  f.workspace.kernel(f.lesson);
  f.scratch.write(stub_file, f.filled());
  setenv("GRADE_AUTHOR", "1", 1);
  f.workspace.kernel(f.lesson);
  unsetenv("GRADE_AUTHOR");
  CHECK(f.scratch.read(stub_file) == f.filled());
}

TEST_CASE("a missing stub comes back") {
  Fixture f;
  f.workspace.kernel(f.lesson);
  std::filesystem::remove(f.lesson.stub());
  f.workspace.kernel(f.lesson);
  CHECK(f.scratch.read(stub_file) == f.stub);
}

TEST_CASE("a kernel that is a link leads out of the workbook and stays a link") {
  Fixture f;
  const Scratch elsewhere;
  elsewhere.write("mine.cu", "mine");
  std::filesystem::create_symlink(elsewhere.path() / "mine.cu", f.lesson.kernel());
  CHECK(f.workspace.kernel(f.lesson) == f.lesson.kernel());
  f.workspace.reset(f.lesson);
  CHECK(std::filesystem::is_symlink(f.lesson.kernel()));
  CHECK(elsewhere.read("mine.cu") == f.stub);
  f.workspace.restore(f.lesson, f.workspace.backups().back());
  CHECK(elsewhere.read("mine.cu") == "mine");

  for (const std::filesystem::path& bad : {f.lesson.stub(), elsewhere.path() / "gone.cu"}) {
    std::filesystem::remove(f.lesson.kernel());
    std::filesystem::create_symlink(bad, f.lesson.kernel());
    CHECK_THROWS_WITH_AS(f.workspace.kernel(f.lesson), doctest::Contains("is a link to"),
                         grade::Error);
    CHECK_THROWS_AS(f.workspace.reset(f.lesson), grade::Error);
    CHECK(std::filesystem::is_symlink(f.lesson.kernel()));
  }
  CHECK(f.scratch.read(stub_file) == f.stub);
}

TEST_CASE("the newest backups of a lesson stay") {
  Fixture f;
  f.workspace.kernel(f.lesson);
  const grade::Lesson& other = f.course.find("2");
  f.workspace.kernel(other);
  f.workspace.back_up(other, "reset");
  for (std::size_t i = 0; i < Workspace::kBackupsKept + 3; ++i) {
    f.scratch.write(kernel_file, std::to_string(i));
    f.workspace.back_up(f.lesson, "reset");
  }
  const auto kept = f.workspace.backups("001_add_one");
  REQUIRE(kept.size() == Workspace::kBackupsKept);
  CHECK(f.scratch.read(kept.front().file) == "3");
  CHECK(f.scratch.read(kept.back().file) == std::to_string(Workspace::kBackupsKept + 2));
  CHECK(f.workspace.backups("002_add_two").size() == 1);
}
