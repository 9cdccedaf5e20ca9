#include <doctest/doctest.h>

#include "hints/ladder.h"

using grade::hint_ladder;
using grade::HintLadder;

namespace {

grade::Lesson lesson() {
  grade::Lesson lesson;
  lesson.hints = {"a question", "the place", "near-code"};
  lesson.mistakes = {
      {"index", "Wrong index", 0}, {"guard", "No guard", 1}, {"stride", "Stride", 2}};
  return lesson;
}

// What each mistake is rejected for.
std::vector<grade::Mutant> mutants() {
  std::vector<grade::Mutant> list(4);
  list[0].mistake = "index";
  list[0].rejected_for = {"value"};
  list[1].mistake = "guard";
  list[1].rejected_for = {"value", "out_of_bounds"};
  list[2].mistake = "stride";
  list[2].rejected_for = {"out_of_bounds"};
  list[3].mistake = "something else";
  list[3].rejected_for = {"race"};
  return list;
}

HintLadder after(const char* mistake, const char* finding) {
  static const grade::Lesson all = lesson();
  grade::LessonProgress progress;
  progress.last_mistake = mistake;
  progress.last_finding = finding;
  return hint_ladder(all, progress, mutants());
}

}  // namespace

TEST_CASE("the ladder begins with the hint of the mistake that the failure looks like") {
  CHECK(after("", "").order == std::vector<int>{1, 2, 3});
  CHECK(after("stride", "value").order == std::vector<int>{3, 1, 2});
  CHECK(after("stride", "value").matched);
  CHECK(after("guard", "value").order == std::vector<int>{2, 3, 1});
  CHECK(after("no such mistake", "value").order == std::vector<int>{1, 2, 3});
}

TEST_CASE("without a known mistake, with that of those that fail alike") {
  const HintLadder bounds = after("", "out_of_bounds");
  CHECK_FALSE(bounds.matched);
  REQUIRE(bounds.looks_like.size() == 2);
  CHECK(bounds.looks_like[0]->slug == "guard");
  CHECK(bounds.order == std::vector<int>{2, 3, 1});
  CHECK(after("", "value").looks_like.empty());
  CHECK(after("", "race").looks_like.empty());
  CHECK(after("", "compile_error").order == std::vector<int>{1, 2, 3});
}

TEST_CASE("a mistake without a hint of its own, and a lesson without hints") {
  grade::Lesson bare = lesson();
  bare.mistakes[2].hint.reset();
  grade::LessonProgress progress;
  progress.last_mistake = "stride";
  CHECK(hint_ladder(bare, progress, {}).order == std::vector<int>{1, 2, 3});
  bare.hints.clear();
  CHECK(hint_ladder(bare, progress, {}).order.empty());
}
