// 013 softmax_rows_backward: dx = y * (dy - <dy, y>) of each row
#include "testing/grader.h"

#include <array>
#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

// Softmax outputs of random logits; the wider `spread`, the more of them are near or at 0.
Values softmax_outputs(Random& random, int rows, int cols, float spread) {
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  const auto exact =
      oracle::softmax_rows(random.uniforms(count, -spread, spread), rows, cols).value;
  return Values(exact.begin(), exact.end());
}

// What lane `of` of a warp holds after five steps of adding what lies `step` lanes further, where
// the lanes begin with the products of a row of at most 32.
double left_in_lane(const Array<float>& y, const Array<float>& dy, int r, int cols, int of) {
  std::array<double, 32> value{};
  for (int c = 0; c < cols; ++c) value[static_cast<std::size_t>(c)] = y(r, c) * dy(r, c);
  for (std::size_t step = 16; step > 0; step /= 2) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      value[lane] += value[lane + step < 32 ? lane + step : lane];
  }
  return value[static_cast<std::size_t>(of)];
}

struct Slip {
  bool whole_row, with_y, weighted = true;
};

// y (dy - dot), with another factor or another sum where a known mistake has one. Each sum is
// taken once: a wide row has as many elements as terms.
void know_mistake(Trial& trial, const char* slug, const Array<float>& dx, const Array<float>& y,
                  const Array<float>& dy, int rows, int cols, Slip slip) {
  const auto sum_of = [=](int r, int c) {
    return static_cast<std::size_t>(slip.whole_row ? r : r * 8 + c % 256 / 32);
  };
  std::vector<Sum> dots(static_cast<std::size_t>(rows) * 8);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c)
      dots[sum_of(r, c)] += slip.weighted ? y(r, c) * dy(r, c) : dy(r, c);
  }
  trial.mistake(slug, dx, [=](int r, int c) {
    const Sum& dot = dots[sum_of(r, c)];
    const double factor = slip.with_y ? y(r, c) : 1;
    const double value = factor * (dy(r, c) - dot.value());
    return Expected(value, std::fabs(factor) * (dot.bound() + 1e-6 * std::fabs(dy(r, c))) +
                               1e-6 * std::fabs(value) + 1e-30);
  });
}

void grade(int rows, int cols, Values outputs = {}, Values gradient = {}, bool once = false) {
  Trial trial{{"rows", rows}, {"cols", cols}};
  if (outputs.empty()) outputs = softmax_outputs(trial.random(), rows, cols, 2);
  const auto y = trial.input("y", {{"r", rows}, {"c", cols}}, std::move(outputs));
  const auto dy = trial.input("dy", {{"r", rows}, {"c", cols}}, std::move(gradient));
  const auto dx = trial.output("dx", {{"r", rows}, {"c", cols}});
  trial.expect(dx, oracle::softmax_rows_backward(y.values(), dy.values(), rows, cols));

  know_mistake(trial, "factor-forgotten", dx, y, dy, rows, cols, Slip{true, false});
  if (cols <= 64)
    know_mistake(trial, "dot-without-y", dx, y, dy, rows, cols, Slip{true, true, false});
  if (cols <= 32) {
    trial.mistake("lane-0-only", dx, [=](int r, int c) {
      const double dot = left_in_lane(y, dy, r, cols, c);
      return Expected(y(r, c) * (dy(r, c) - dot), 1e-5 * y(r, c) * (4 + std::fabs(dot)));
    });
  }
  if (cols > 32) know_mistake(trial, "own-warp-only", dx, y, dy, rows, cols, Slip{false, true});
  if (cols > 256 && cols < 2'000) {
    trial.mistake("no-walk", dx, [=](int r, int c) -> Expected {
      if (c >= 256) return Expected::unwritten();
      Sum dot;
      for (int j = 0; j < 256; ++j) dot += y(r, j) * dy(r, j);
      const double value = y(r, c) * (dy(r, c) - dot.value());
      return Expected(value, y(r, c) * (dot.bound() + 1e-6) + 1e-6 * std::fabs(value) + 1e-30);
    });
  }
  const auto race = [](const Diagnostic& d, bool same_line) {
    return d.is("race") && d.message.find("in shared memory") != std::string::npos &&
           (d.message.find("on the same line") != std::string::npos) == same_line;
  };
  trial.mistake_if("missing-barrier", [=](const Diagnostic& d) { return race(d, false); });
  trial.mistake_if("lane-0-only", [=](const Diagnostic& d) { return race(d, true); });
  trial.mistake_if("shuffle-in-branch", [](const Diagnostic& d) {
    return d.is("barrier_divergence") && d.message.find("lane") != std::string::npos;
  });
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows_backward(y, dy, dx, rows, cols, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: one row of four") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("013_softmax_rows_backward", name);
  };
  const auto values = [](const char* name) {
    return micro_batch::example("013_softmax_rows_backward", name);
  };
  grade(size("rows"), size("cols"), values("y"), values("dy"));
}

LESSON_CASE("one element, one row, one column") {
  grade(1, 1, {1});
  grade(1, 45);
  grade(13, 1, Values(13, 1.0f));
}

LESSON_CASE("narrow rows") {
  for (const int cols : {2, 3, 17, 31, 32, 33}) grade(3, cols);
}

LESSON_CASE("a block of columns, one less, one more") {
  for (const int cols : {63, 65, 255, 256, 257, 1025}) grade(2, cols);
}

LESSON_CASE("rows and columns that differ") {
  Random random = case_random();
  for (const int rows : {2, 5, 11}) grade(rows, random.integer(rows + 1, 130));
}

LESSON_CASE("all dy alike: dx is 0, but for rounding") {
  grade(2, 40, {}, Values(80, 3.0f));
}

LESSON_CASE("probabilities at 0 and 1, gradients of every size") {
  Random random = case_random();
  grade(2, 4, {1, 0, 0, 0, 0, 0, 1, 0});
  grade(5, 30, softmax_outputs(random, 5, 30, 60));  // from 1 down to denormals and 0
  grade(4, 20, softmax_outputs(random, 4, 20, 3), random.extremes(80));
}

LESSON_CASE("no rows") {
  grade(0, 5, {}, {});
}

// Of this grid some blocks run, and only their rows are looked at. One column keeps it quick.
LESSON_CASE("rows past 65,536, each of its own") {
  const int rows = 66'000, cols = 3;
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto y =
      trial.input("y", {{"r", rows}, {"c", cols}}, softmax_outputs(trial.random(), rows, cols, 2));
  const auto dy = trial.input("dy", {{"r", rows}, {"c", cols}});
  const auto dx = trial.output("dx", {{"r", rows}, {"c", cols}});
  trial.expect(dx, oracle::softmax_rows_backward(y.values(), dy.values(), rows, cols));
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows_backward(y, dy, dx, rows, cols, stream); });
}

LESSON_CASE("more than a million rows") {
  const int rows = 1'050'000, cols = 1;
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto y =
      trial.input("y", {{"r", rows}, {"c", cols}}, Values(static_cast<std::size_t>(rows), 1.0f));
  const auto dy =
      trial.input("dy", {{"r", rows}, {"c", cols}}, Values(static_cast<std::size_t>(rows), 0.75f));
  const auto dx = trial.output("dx", {{"r", rows}, {"c", cols}});
  const auto one = oracle::softmax_rows_backward(Values{1}, Values{0.75f}, 1, 1);
  trial.expect(dx, [=](int, int) { return Expected(one.value[0], one.bound[0]); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows_backward(y, dy, dx, rows, cols, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, {}, {}, true);
}

BENCH_CASE("128 rows of 544 columns") {
  grade(128, 544);
}
