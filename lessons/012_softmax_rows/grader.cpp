// 012 softmax_rows: the stable softmax of each row; -inf gives 0
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr int kBlock = 256;

// What a known mistake makes of a row: exp(x - shift) / sum over the first `seen` columns, without
// the care that keeps it in range. Where floats overflow or vanish, that is seen here too.
oracle::Bounded careless(const Values& x, int rows, int cols, int seen, float (*shift)(float max)) {
  oracle::Bounded out = oracle::make_bounded(x.size());
  for (int r = 0; r < rows; ++r) {
    const float* row = x.data() + static_cast<std::ptrdiff_t>(r) * cols;
    const float by = shift(*std::max_element(row, row + seen));
    float sum = 0;
    for (int c = 0; c < seen; ++c) sum += std::exp(row[c] - by);
    for (int c = 0; c < cols; ++c) {
      const std::size_t i = static_cast<std::size_t>(r) * static_cast<std::size_t>(cols) +
                            static_cast<std::size_t>(c);
      out.value[i] = std::exp(row[c] - by) / sum;
      out.bound[i] = 1e-4 * std::fabs(out.value[i]) + 1e-30;
    }
  }
  return out;
}

void know_mistakes(Trial& trial, const Array<float>& y, const Values& x, int rows, int cols) {
  // Far below 0 both come to the same; rows far above 0, tried before, show the second alone.
  trial.mistake("zero-start", y,
                careless(x, rows, cols, cols, [](float max) { return std::fmax(max, 0.0f); }));
  trial.mistake("missing-max", y, careless(x, rows, cols, cols, [](float) { return 0.0f; }));
  if (cols > kBlock) {
    const auto few = careless(x, rows, cols, kBlock, [](float max) { return max; });
    trial.mistake("no-walk", y, [=](int r, int c) -> Expected {
      const auto i = static_cast<std::size_t>(r) * static_cast<std::size_t>(cols) +
                     static_cast<std::size_t>(c);
      return c < kBlock ? Expected(few.value[i], few.bound[i]) : Expected::unwritten();
    });
  }
  trial.mistake_if("barrier-in-branch",
                   [](const Diagnostic& d) { return d.misses_block_barrier(); });
  trial.mistake_if("no-barrier-before-reuse", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("[0] in shared memory") != std::string::npos;
  });
}

void grade(int rows, int cols, Values values = {}, bool once = false) {
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto x = trial.input("x", {{"r", rows}, {"c", cols}}, std::move(values));
  const auto y = trial.output("y", {{"r", rows}, {"c", cols}});
  trial.expect(y, oracle::softmax_rows(x.values(), rows, cols));
  know_mistakes(trial, y, x.values(), rows, cols);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows(x, y, rows, cols, stream); });
}

// Ordinary rows, each moved to a place of its own on the axis.
Values shifted(Random& random, const Values& shifts, int cols) {
  Values x;
  for (const float shift : shifts) {
    for (int c = 0; c < cols; ++c) x.push_back(shift + random.uniform(-3, 3));
  }
  return x;
}

}  // namespace

LESSON_CASE("the lesson's example: the router's scores of 3 tokens") {
  grade(3, 4, micro_batch::floats("logits"));
}

LESSON_CASE("one element, one row, one column") {
  grade(1, 1);
  grade(1, 45);
  grade(13, 1);
}

LESSON_CASE("narrow rows") {
  for (const int cols : {2, 3, 17, 31, 32, 33}) grade(3, cols);
}

LESSON_CASE("a block of columns, one less, one more") {
  for (const int cols : {255, 256, 257, 1025}) grade(2, cols);
}

LESSON_CASE("rows and columns that differ") {
  Random random = case_random();
  for (const int rows : {2, 5, 11}) grade(rows, random.integer(rows + 1, 130));
}

LESSON_CASE("large entries, of both signs") {
  Random random = case_random();
  const Values shifts = {89, 200, 1000, 3e4f};
  grade(4, 5, shifted(random, shifts, 5));
  grade(4, 5, shifted(random, {-120, -200, -1000, -3e4f}, 5));
  grade(1, 3, {-100, -101, -102});
  grade(2, 300, shifted(random, {500, -500}, 300));
}

LESSON_CASE("entries of minus infinity") {
  grade(3, 4, {kNothing, 1, 2, kNothing, kNothing, kNothing, kNothing, -5, 0, kNothing, 0, 0});
  // One finite entry, so most threads of a block see none; once in the first column, once in the
  // last, once far below 0.
  Values x(3 * 300, kNothing);
  x[0] = 7;
  x[300 + 299] = -1;
  x[600 + 261] = -3e4f;
  grade(3, 300, std::move(x));
}

LESSON_CASE("far apart, and all alike") {
  grade(2, 4, {0, -90, -104, -200, 0, -1, -88, -95});
  grade(1, 7, Values(7, 42.0f));
}

LESSON_CASE("no rows") {
  grade(0, 5);
}

// Of this grid some blocks run, and only their rows are looked at. One column keeps it quick.
LESSON_CASE("rows past 65,536, each of its own") {
  const int rows = 66'000, cols = 3;
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto x = trial.input("x", {{"r", rows}, {"c", cols}},
                             trial.random().normals(std::size_t{rows} * cols, 0, 200));
  const auto y = trial.output("y", {{"r", rows}, {"c", cols}});
  trial.expect(y, oracle::softmax_rows(x.values(), rows, cols));
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows(x, y, rows, cols, stream); });
}

LESSON_CASE("more than a million rows") {
  const int rows = 1'050'000, cols = 1;
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto x = trial.input("x", {{"r", rows}, {"c", cols}});
  const auto y = trial.output("y", {{"r", rows}, {"c", cols}});
  const auto one = oracle::softmax_rows(Values{1}, 1, 1);
  trial.expect(y, [=](int, int) { return Expected(one.value[0], one.bound[0]); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { softmax_rows(x, y, rows, cols, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, {}, true);
}

BENCH_CASE("128 rows of 544 columns") {
  grade(128, 544);
}
