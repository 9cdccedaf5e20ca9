#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

#include "classroom/formats.h"
#include "classroom/hidden_seed.h"
#include "classroom/results.h"
#include "classroom/submissions.h"
#include "cli/error.h"
#include "course/course.h"
#include "scratch.h"

using grade::Course;
using grade::Lesson;
using namespace grade::classroom;

namespace {
struct Class {
  Scratch scratch;
  grade::Paths paths = scratch.course();
  Course course = Course::load(paths);

  std::vector<HandedIn> find(const std::vector<const Lesson*>& lessons = {}) const {
    return find_submissions(scratch.path() / "class", course, lessons);
  }
  void hand_in(const std::string& file) const { scratch.write("class/" + file, file); }
};

std::string listed(const HandedIn& student) {
  std::string text = student.name + ":";
  for (const Submission& each : student.submissions) text += " " + each.shown;
  return text;
}

Mark mark(const std::string& lesson, const std::string& status, int points = 0) {
  Mark result;
  result.lesson = lesson;
  result.status = status;
  result.points = points;
  return result;
}

Results two_students() {
  Results results;
  results.course = "Course";
  results.time = "2025-03-09T14:05:06Z";
  results.backend = "cpu";
  results.seed = "1";
  results.lessons = {{"001_a", 1, "A & B", 5}, {"002_b", 2, "B", 10}};
  results.students = {
      {"Zoë, \"Z\"", {mark("001_a", "passed", 5), mark("002_b", "failed")}, {"a: remark"}},
      {"@sum", {mark("001_a", "timed_out"), mark("002_b", "missing")}, {}}};
  results.students[0].marks[1].reason = "1 of 3 cases failed";
  results.students[0].marks[1].failures = {{"a <case>", "got 1\x1b[31m, expected 2\x07", 12}};
  return results;
}
}  // namespace

TEST_CASE("each layout of a class is understood") {
  const Class c;
  c.hand_in("anna/001_add_one.cu");
  c.hand_in("anna/002_add_two.cu");
  c.hand_in("bo/lessons/001_add_one/kernel.cu");
  c.hand_in("bo/lessons/001_add_one/stub.cu");
  c.hand_in("bo/lessons/002_add_two/stub.cu");
  c.hand_in("cy/004_scale_rows/kernel.cu");
  c.hand_in("dee/001_add_one (2).CU");
  c.hand_in("dee/001_add_one.cu");
  c.hand_in("dee/notes.txt");
  c.hand_in(".git/001_add_one.cu");
  std::filesystem::create_directories(c.scratch.path() / "class/eve");
  const auto students = c.find();
  REQUIRE(students.size() == 5);
  CHECK(listed(students[0]) == "anna: anna/001_add_one.cu anna/002_add_two.cu");
  CHECK(listed(students[1]) == "bo: bo/lessons/001_add_one/kernel.cu");
  CHECK(listed(students[2]) == "cy: cy/004_scale_rows/kernel.cu");
  CHECK(listed(students[3]) == "dee: dee/001_add_one.cu");
  CHECK(students[3].remarks.size() == 1);
  CHECK(listed(students[4]) == "eve:");
  CHECK(listed(c.find({c.course.by_number(2)})[0]) == "anna: anna/002_add_two.cu");
}

TEST_CASE("with one lesson a file needs no name, and may be a student's") {
  const Class c;
  c.hand_in("anna.cu");
  c.hand_in("bo/my kernel.cu");
  c.hand_in("cy/one.cu");
  c.hand_in("cy/two.cu");
  const auto students = c.find({c.course.by_number(1)});
  REQUIRE(students.size() == 3);
  CHECK(listed(students[0]) == "anna: anna.cu");
  CHECK(listed(students[1]) == "bo: bo/my kernel.cu");
  CHECK(listed(students[2]) == "cy:");
  CHECK(students[2].remarks.size() == 2);
  CHECK_THROWS_AS(c.find(), grade::Error);
}

TEST_CASE("links in a submission are not followed") {
  const Class c;
  c.hand_in("anna/readme");
  namespace fs = std::filesystem;
  fs::create_symlink(c.scratch.path() / "solutions/001_add_one/kernel.cu",
                     c.scratch.path() / "class/anna/001_add_one.cu");
  fs::create_symlink(c.scratch.path() / "solutions/002_add_two",
                     c.scratch.path() / "class/anna/002_add_two");
  fs::create_symlink(c.scratch.path() / "lessons", c.scratch.path() / "class/anna/lessons");
  fs::create_symlink(c.scratch.path() / "class/anna", c.scratch.path() / "class/bo");
  const auto students = c.find();
  REQUIRE(students.size() == 2);
  CHECK(students[0].submissions.empty());
  CHECK(students[0].remarks.size() == 3);
  CHECK(students[1].submissions.empty());
  CHECK(students[1].remarks.size() == 1);
}

TEST_CASE("results survive their JSON") {
  const Results results = two_students();
  const std::string text = to_json_text(results);
  CHECK(to_json_text(results_from_json_text(text)) == text);
  CHECK_THROWS_AS(results_from_json_text("{"), std::runtime_error);
  CHECK_THROWS_AS(results_from_json_text("{}"), std::runtime_error);
  CHECK_THROWS_AS(results_from_json_text(R"({"format": "moe-course-results", "version": 2})"),
                  std::runtime_error);
}

TEST_CASE("parts of a class are joined") {
  const Results whole = two_students();
  Results first = whole;
  Results second = whole;
  first.students.pop_back();
  second.students.erase(second.students.begin());
  Results joined = merge({first, second});
  REQUIRE(joined.students.size() == 2);
  CHECK(joined.students[0].name == "@sum");
  CHECK(joined.points() == 15);

  // Another lesson of the same class.
  Results other = first;
  other.lessons = {{"003_c", 3, "C", 5}};
  other.students[0].marks = {mark("003_c", "passed", 5)};
  joined = merge({first, second, other});
  CHECK(joined.lessons.size() == 3);
  CHECK(joined.students[0].marks[2].status == "missing");
  CHECK(joined.students[1].points() == 10);

  CHECK_THROWS_AS(merge({first, first}), std::runtime_error);
  second.seed = "2";
  CHECK_THROWS_AS(merge({first, second}), std::runtime_error);
}

TEST_CASE("CSV is quoted, and a name is no formula") {
  CHECK(to_csv(two_students()) ==
        "student,points,of,passed,001_a,002_b\r\n"
        "\"Zoë, \"\"Z\"\"\",5,15,1,passed,failed\r\n"
        "'@sum,0,15,0,timed_out,missing\r\n");
}

TEST_CASE("JUnit counts and escapes") {
  Results results = two_students();
  results.students[0].name = "a\xff<\xef\xbf\xbf\xed\xa0\x80>";
  const std::string text = to_junit(results);
  CHECK(text.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\"") != std::string::npos);
  CHECK(text.find("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\"") != std::string::npos);
  CHECK(text.find("A &amp; B") != std::string::npos);
  CHECK(text.find("a &lt;case&gt; (line 12):\ngot 1, expected 2<") != std::string::npos);
  CHECK(text.find("name=\"a\xef\xbf\xbd&lt;") != std::string::npos);
  CHECK(text.find("\xef\xbf\xbf") == std::string::npos);
  CHECK(text.find("\xed\xa0") == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("the hidden seed: by lesson, from a number, a file or the environment") {
  const Class c;
  const Lesson& one = *c.course.by_number(1);
  const Lesson& two = *c.course.by_number(2);
  unsetenv("GRADE_HIDDEN_SEED");
  CHECK_FALSE(HiddenSeed::find(""));
  c.scratch.write("secret", "12\n");
  c.scratch.write("empty", " \n");
  const auto by_number = HiddenSeed::find("12");
  const auto by_file = HiddenSeed::find((c.scratch.path() / "secret").string());
  REQUIRE(by_number);
  REQUIRE(by_file);
  CHECK(by_number->of(one) == by_file->of(one));
  CHECK(by_number->of(one) != by_number->of(two));
  CHECK(by_number->of(one) > 1'000'000'000);
  setenv("GRADE_HIDDEN_SEED", "12", 1);
  const auto by_environment = HiddenSeed::find("");
  REQUIRE(by_environment);
  CHECK(by_environment->of(two) == by_number->of(two));
  CHECK(std::getenv("GRADE_HIDDEN_SEED") == nullptr);
  CHECK_THROWS_AS(HiddenSeed::find((c.scratch.path() / "empty").string()), grade::Error);
  CHECK_THROWS_AS(HiddenSeed::find((c.scratch.path() / "nothing").string()), grade::Error);
}
