// What `grade bench` makes of a benchmark program's messages: figures, table, best times.
#include "timing/timing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "commands/timing_table.h"
#include "progress/store.h"
#include "scratch.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "timing/records.h"

namespace {

using grade::read_timing;
using grade::TimedCase;
using grade::Timing;

std::string head(bool smoke = false) {
  return fmt::format(
      R"({{"machine":{{"gpu":"Test GPU"}},"ceilings":{{"copy_bytes_per_second":4.1e12,)"
      R"("read_bytes_per_second":4.4e12,"fill_bytes_per_second":4.3e12,"flops_per_second":5e13,)"
      R"("product_flops_per_second":1.2e14}},"smoke":{}}})",
      smoke);
}

std::string subject(const std::string& name, double median, const std::string& wrong = {}) {
  if (!wrong.empty() && median == 0) {
    return fmt::format(R"({{"subject":"{}","wrong":"{}"}})", name, wrong);
  }
  return fmt::format(
      R"({{"subject":"{}","wrong":"{}","median":{},"lower":{},"upper":{},"least":{},"samples":[1,2,3],)"
      R"("of_roofline":0.5}})",
      name, wrong, median, median * 0.99, median * 1.01, median * 0.9);
}

std::string measured(const std::string& shape, const std::string& subjects) {
  return fmt::format(
      R"({{"function":"f","shape":"{}","method":"cold","bytes":8e8,"bytes_read":4e8,)"
      R"("bytes_written":4e8,"flops":1e8,"least_seconds":2e-4,"subjects":[{}]}})",
      shape, subjects);
}

Timing two_shapes(double yours, double other) {
  return read_timing(
      {head(), measured("n = 1", subject("reference", 2e-4) + "," + subject("yours", yours)),
       measured("n = 2", subject("reference", 2e-4) + "," + subject("yours", other))});
}

std::string printed(const Timing& timing, int columns) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = open_memstream(&text, &size);
  {
    grade::terminal::Capabilities capabilities;
    capabilities.columns = columns;
    grade::terminal::Terminal out(stream, capabilities);
    print_times(out, timing);
    print_time_meanings(out, timing);
  }
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace

TEST_CASE("messages of a benchmark become figures") {
  const Timing timing = two_shapes(1e-4, 4e-4);
  CHECK(timing.device == "Test GPU");
  CHECK(timing.read_bytes == 4.4e12);
  REQUIRE(timing.cases.size() == 2);
  const TimedCase& first = timing.cases[0];
  REQUIRE(first.sound("yours") != nullptr);
  CHECK(first.sound("yours")->spread() == doctest::Approx(0.02));
  CHECK(first.sound("yours")->samples == 3);
  CHECK(first.ratio(*first.sound("yours")) == doctest::Approx(2));
  CHECK(timing.cases[1].ratio(*timing.cases[1].sound("yours")) == doctest::Approx(0.5));
  CHECK(first.sound("cuBLAS") == nullptr);
}

TEST_CASE("what is wrong has no time, and nothing is compared with it") {
  const Timing timing =
      read_timing({head(), measured("n = 1", subject("reference", 2e-4, "above the roofline") +
                                                 "," + subject("yours", 0, "element 0"))});
  const TimedCase& timed = timing.cases[0];
  CHECK(timed.sound("yours") == nullptr);
  CHECK(timed.sound("reference") == nullptr);
  CHECK(timed.subjects[0].median == 0);
  CHECK_FALSE(timed.ratio(timed.subjects[0]));
  const std::string text = printed(timing, 80);
  CHECK(text.find("yours: element 0") != std::string::npos);
  CHECK(text.find("200 µs") == std::string::npos);
}

TEST_CASE("what is no report of a benchmark is refused") {
  CHECK_THROWS_AS(read_timing({}), std::runtime_error);
  CHECK_THROWS_AS(read_timing({"{}"}), std::runtime_error);
  CHECK_THROWS_AS(read_timing({"no JSON"}), std::runtime_error);
  CHECK_THROWS_AS(read_timing({head(), R"({"function":"f"})"}), std::runtime_error);
}

TEST_CASE("times and rates in words") {
  CHECK(grade::seconds_in_words(1.5) == "1.50 s");
  CHECK(grade::seconds_in_words(0.9996) == "1.00 s");
  CHECK(grade::seconds_in_words(99.96e-3) == "100 ms");
  CHECK(grade::seconds_in_words(12.34e-6) == "12.3 µs");
  CHECK(grade::seconds_in_words(136e-6, false) == "136 us");
  CHECK(grade::seconds_in_words(40e-9) == "40 ns");
  TimedCase timed;
  timed.bytes_read = timed.bytes_written = 4e8;
  timed.flops = 1e8;
  CHECK(grade::rate_in_words(timed, 2e-4) == "4,000 GB/s");
  CHECK(grade::rate_in_words(timed, 1) == "0.80 GB/s");
  timed.flops = 1e11;
  CHECK(grade::rate_in_words(timed, 2e-3) == "50.0 TFLOP/s");
}

TEST_CASE("the table shows one's own first and fits the window") {
  const Timing timing = two_shapes(1e-4, 4e-4);
  for (const int columns : {40, 80, 120}) {
    CAPTURE(columns);
    const std::string text = printed(timing, columns);
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      CHECK(grade::terminal::width(text.substr(begin, end - begin)) <= columns);
    }
  }
  const std::string text = printed(timing, 80);
  CHECK(text.find("  yours") < text.find("  reference   "));
  CHECK(text.find("100 µs    2.0 %     8,000 GB/s       2.00      50 %") != std::string::npos);
  CHECK(text.find("copied 4.10 TB/s, read 4.40 and wrote 4.30") != std::string::npos);
}

TEST_CASE("only what is right and real is a candidate for the best time") {
  CHECK(candidates(two_shapes(1e-4, 4e-4), "h").size() == 2);
  const auto none = [](const std::string& subjects, bool smoke = false) {
    return candidates(read_timing({head(smoke), measured("n = 1", subjects)}), "h").empty();
  };
  CHECK(none(subject("reference", 2e-4) + "," + subject("yours", 0, "element 0")));
  CHECK(none(subject("reference", 2e-4) + "," + subject("yours", 1e-9, "above the roofline")));
  CHECK(none(subject("reference", 2e-4, "above the roofline") + "," + subject("yours", 1e-4)));
  CHECK(none(subject("reference", 2e-4)));
  CHECK(none(subject("reference", 2e-4) + "," + subject("yours", 1e-4), true));
  CHECK_FALSE(none(subject("reference", 2e-4) + "," + subject("yours", 1e-4)));
}

TEST_CASE("the best time of each shape and device is kept") {
  const Scratch scratch;
  grade::ProgressStore store(scratch.path() / "progress.json");
  const auto keep = [&](const Timing& timing, const char* hash) {
    return keep_best(store, "001_add_one", timing, hash);
  };
  auto news = keep(two_shapes(3e-4, 3e-4), "first");
  CHECK(news.size() == 2);
  CHECK(news[0].before == 0);
  news = keep(two_shapes(2e-4, 4e-4), "second");
  REQUIRE(news.size() == 1);
  CHECK(news[0].best.shape == "n = 1");
  CHECK(news[0].before == 3e-4);
  CHECK(keep(two_shapes(2e-4, 3e-4), "third").empty());
  Timing elsewhere = two_shapes(9e-4, 9e-4);
  elsewhere.device = "Other GPU";
  CHECK(keep(elsewhere, "fourth").size() == 2);
  const auto best = store.read().best_times("001_add_one");
  REQUIRE(best.size() == 4);
  CHECK(best[0].device == "Test GPU");
  CHECK(best[0].seconds == 2e-4);
  CHECK(best[0].kernel_hash == "second");
  CHECK(best[0].of_roofline == 0.5);
  CHECK(best[1].seconds == 3e-4);
  CHECK(best[1].kernel_hash == "first");
  CHECK(best[2].device == "Other GPU");
  CHECK(store.read().best_times("002_add_two").empty());
}

TEST_CASE("best times follow a lesson that is renamed") {
  grade::Progress progress;
  progress.set_best_time("001_old", {"GPU", "n = 1", 2, 4, 0.5});
  progress.set_best_time("001_old", {"GPU", "n = 2", 2, 4, 0.5});
  progress.set_best_time("001_new", {"GPU", "n = 1", 1, 4, 0.5});
  progress.set_best_time("001_new", {"GPU", "n = 2", 3, 4, 0.5});
  progress.rename_lessons(
      [](const std::string& name) { return name == "001_old" ? "001_new" : name; });
  const auto best = progress.best_times("001_new");
  REQUIRE(best.size() == 2);
  CHECK(best[0].seconds == 1);
  CHECK(best[1].seconds == 2);
}

TEST_CASE("damaged best times are damage") {
  const auto with = [](const std::string& times) {
    return R"({"version":1,"lessons":{"001_a":{"times":)" + times + "}}}";
  };
  CHECK_NOTHROW(grade::Progress::parse(with(R"({"GPU":{"n = 1":{"seconds":1}}})")));
  for (const char* times :
       {"[]", R"({"GPU":1})", R"({"GPU":{"n = 1":1}})", R"({"GPU":{"n = 1":{}}})",
        R"({"GPU":{"n = 1":{"seconds":"1"}}})", R"({"GPU":{"n = 1":{"seconds":1,"time":2}}})"}) {
    CAPTURE(times);
    CHECK_THROWS_AS(grade::Progress::parse(with(times)), std::runtime_error);
  }
}

TEST_CASE("one is singular") {
  CHECK(grade::terminal::counted(1, "day", "days") == "1 day");
  CHECK(grade::terminal::counted(0, "day", "days") == "0 days");
  CHECK(grade::terminal::counted(2, "day", "days") == "2 days");
}
