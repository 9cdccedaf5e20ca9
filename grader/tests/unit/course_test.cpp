#include "course/course.h"

#include <doctest/doctest.h>

#include "cli/error.h"
#include "scratch.h"

using grade::Course;
using grade::Error;
using grade::Exit;

namespace {
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// What loading says after a change of 001's front matter.
std::string complaint(const std::string& from, const std::string& to) {
  const Scratch scratch;
  const grade::Paths paths = scratch.course();
  const char* file = "lessons/001_add_one/lesson.md";
  scratch.write(file, replaced(scratch.read(file), from, to));
  const Course course = Course::load(paths);
  if (course.broken.empty()) return "nothing";
  const grade::BrokenLesson& broken = course.broken.front();
  CHECK(course.lessons.size() == 2);
  CHECK(broken.directory == "001_add_one");
  CHECK(broken.number == 1);
  CHECK(broken.what.find(file) != std::string::npos);
  CHECK_FALSE(broken.next.empty());
  CHECK(course.find("2").number == 2);
  for (const char* name : {"1", "add_one"}) {
    try {
      course.find(name);
      FAIL_CHECK("a broken lesson is found");
    } catch (const Error& error) {
      CHECK(error.exit() == Exit::unavailable);
      CHECK(error.what() == broken.what);
    }
  }
  return broken.what;
}

bool mentions(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("the fixture course") {
  const Scratch scratch;
  const Course course = Course::load(scratch.course());
  CHECK(course.title == "Fixture course");
  REQUIRE(course.lessons.size() == 3);
  CHECK(course.lessons[0].directory() == "001_add_one");
  CHECK(course.lessons[0].quiz.size() == 3);
  CHECK(course.lessons[0].mistakes[0].hint == 1);
  CHECK(course.lesson_count() == 5);
  CHECK(course.total_xp() == 25);
  CHECK(course.by_number(3) == nullptr);
  CHECK(course.part_of(4)->number == 2);
}

TEST_CASE("a wrong front matter names the file and the field") {
  CHECK(mentions(complaint("\"minutes\": 5,", ""), "field \"minutes\" is missing"));
  CHECK(mentions(complaint("\"xp\": 5", "\"xp\": \"5\""), "field \"xp\" should be a whole number"));
  CHECK(mentions(complaint("\"effort\": 1", "\"effort\": 5"), "field \"effort\" should be 1 to 4"));
  CHECK(mentions(complaint("\"number\": 1", "\"number\": 9"), "009_add_one"));
  CHECK(mentions(complaint("\"part\": 1", "\"part\": 2"), "field \"part\""));
  CHECK(mentions(complaint("\"answer\": 42", "\"answer\": \"42\""), "field \"quiz[0].answer\""));
  CHECK(mentions(complaint("\"answer\": 1,", "\"answer\": 2,"), "field \"quiz[1].answer\""));
  CHECK(mentions(complaint("\"type\": \"text\"", "\"type\": \"essay\""),
                 "\"quiz[2].type\" is \"essay\""));
  CHECK(
      mentions(complaint("\"id\": \"list\"", "\"id\": \"sum\""), "two questions with the id sum"));
  CHECK(mentions(complaint("[\"adding\"]", "\"adding\""),
                 "field \"concepts\" should be a list of strings"));
  CHECK(mentions(complaint("\"terms\": [\"successor\"]", "\"terms\": 3"), "\"introduces.terms\""));
  CHECK(mentions(complaint("\"xp\": 5,", "\"xp\": 5"), "lesson.md:11: not valid JSON"));
  CHECK(mentions(complaint("---\n{", "--\n{"), "no front matter"));
}

TEST_CASE("a lesson is named by number, name, or a unique part") {
  const Scratch scratch;
  const Course course = Course::load(scratch.course());
  for (const char* name : {"1", "001", "add_one", "001_add_one", "one", "ADD-ONE",
                           "lessons/001_add_one", "lessons/001_add_one/kernel.cu"}) {
    CAPTURE(name);
    CHECK(course.find(name).number == 1);
  }
  CHECK(course.find("scale").number == 4);
  const auto failure = [&](const char* name) -> std::string {
    try {
      course.find(name);
    } catch (const Error& error) {
      CHECK(error.exit() == Exit::usage);
      return std::string(error.what()) + "\n" + error.next();
    }
    return "found";
  };
  CHECK(mentions(failure("add"), "fits 2 lessons"));
  CHECK(mentions(failure("add"), "002  add_two"));
  CHECK(mentions(failure("3"), "not in this copy"));
  CHECK(mentions(failure("77"), "1 to 5"));
  CHECK(mentions(failure("0"), "1 to 5"));
  CHECK(mentions(failure("scael_rows"), "scale_rows"));
  CHECK(mentions(failure("nonsense"), "grade list"));
  CHECK(mentions(failure(""), "no lesson is named"));
  CHECK(mentions(failure("-1"), "no lesson"));
}

TEST_CASE("front matter with windows line ends, and none at all") {
  const auto parts = grade::split_front_matter("---\r\n{}\r\n---\r\nbody", "f");
  CHECK(parts.json == "{}\r\n");
  CHECK(parts.body == "body");
  CHECK(parts.body_line == 4);
  CHECK_THROWS_AS(grade::split_front_matter("---\n{}\n", "f"), Error);
  CHECK_THROWS_AS(grade::split_front_matter("", "f"), Error);
}
