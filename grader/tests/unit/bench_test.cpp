#include <doctest/doctest.h>

#include "commands/bench_table.h"
#include "course/course.h"
#include "run/verdict.h"
#include "scratch.h"

using grade::CaseCounts;
using grade::Lesson;
using grade::LessonProgress;
using grade::Prediction;
using grade::Question;

TEST_CASE("counts in words") {
  CHECK(grade::count_in_words(0) == "0");
  CHECK(grade::count_in_words(999) == "999");
  CHECK(grade::count_in_words(1000) == "1,000");
  CHECK(grade::count_in_words(12345678) == "12,345,678");
  CHECK(grade::count_in_words(3.99609375) == "4.00");
}

TEST_CASE("predictions: within a fifth of what was counted") {
  Lesson lesson;
  Question question;
  question.id = "traffic";
  question.number = 1000;
  question.tolerance = 200;
  question.bench = "bytes_moved";
  lesson.quiz = {Question{}, question};
  CaseCounts counts;
  counts.total = {{"bytes_moved", 1100}};
  LessonProgress progress;
  const auto compared = [&](const char* answer) {
    progress.quiz["traffic"] = {answer, false, 1};
    const auto all = compare_predictions(lesson, progress, counts);
    REQUIRE(all.size() == 1);
    return all[0];
  };
  CHECK(compare_predictions(lesson, progress, counts).at(0).answer.empty());
  CHECK(compared("1000").within);
  CHECK(compared("1000").counted == 1100);
  CHECK(compared("880").within);
  CHECK(compared("1320").within);
  CHECK_FALSE(compared("879").within);
  CHECK_FALSE(compared("1321").within);
  CHECK(compared("4*275").answer.empty());  // no number
  counts.total.clear();
  CHECK_FALSE(compared("1000").known);
  CHECK_FALSE(compared("1000").within);
}

TEST_CASE("a prediction in the front matter") {
  const Scratch scratch;
  const grade::Paths paths = scratch.course();
  const char* file = "lessons/001_add_one/lesson.md";
  std::string text = scratch.read(file);
  const std::string plain = "\"tolerance\": 0.5";
  REQUIRE(text.find(plain) != std::string::npos);
  text.replace(text.find(plain), plain.size(), "\"bench\": \"bytes_moved\"");
  scratch.write(file, text);
  const Question& question = grade::Course::load(paths).lessons[0].quiz[0];
  CHECK(question.bench == "bytes_moved");
  CHECK(question.tolerance == doctest::Approx(0.2 * 42));
}

TEST_CASE("counts come over the verdict channel") {
  grade::VerdictReader reader("n", true);
  reader.line(R"({"nonce":"n","type":"start","seed":1,"cases":["n = 4"]})");
  reader.line(R"({"nonce":"n","type":"counts","case":"n = 4","exact":true,"total":{"launches":2},)"
              R"("kernels":[{"name":"k","values":{"launches":2,"load_requests":8}}]})");
  reader.line(R"({"nonce":"n","type":"case","name":"n = 4","status":"passed"})");
  reader.line(R"({"nonce":"n","type":"end","cases":1})");
  grade::sandbox::Outcome outcome;
  outcome.ending = grade::sandbox::Ending::exited;
  const grade::RunResult result = reader.finish(outcome, {});
  CHECK(result.status == grade::Status::passed);
  REQUIRE(result.counts.size() == 1);
  CHECK(result.counts[0].shape == "n = 4");
  CHECK(result.counts[0].exact);
  CHECK(result.counts[0].total.at("launches") == 2);
  REQUIRE(result.counts[0].kernels.size() == 1);
  CHECK(result.counts[0].kernels[0].name == "k");
  CHECK(result.counts[0].kernels[0].values.at("load_requests") == 8);
}

TEST_CASE("two kernels that differ in kind") {
  grade::CaseCounts left;
  left.total = {{"launches", 2}, {"barriers", 384}, {"bytes_moved", 4096}};
  grade::CaseCounts right = left;
  const grade::terminal::Terminal out(nullptr, {});
  CHECK(grade::count_differences(out, {"yours", &left}, {"reference", &right}).empty());
  right.total["launches"] = 1;
  right.total["barriers"] = 0;
  const auto lines = grade::count_differences(out, {"yours", &left}, {"reference", &right});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find("yours    reference") != std::string::npos);
  CHECK(lines[1].starts_with("  launches "));
  CHECK(lines[2].starts_with("  barriers "));
  CHECK(lines[2].ends_with("384            -"));
}
