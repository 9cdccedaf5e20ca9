// 004 bias_add: Y[r,c] = X[r,c] + b[c]; Y == X allowed
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

// What goes wrong in X's place or in Y's alike. `left` is what an element holds that nothing
// writes.
template <class Input, class Left>
void know_mistakes(Trial& trial, const Array<float>& Y, const Input& X, const Array<float>& b,
                   Left left) {
  trial.mistake("no-walk", Y, [=](int r, int c) -> Expected {
    return c < 32 ? Expected(static_cast<float>(X(r, c) + b[c])) : left(r, c);
  });
  trial.mistake("bias-by-row", Y, [=](int r, int c) -> Expected {
    return static_cast<float>(X(r, c) + b[r < static_cast<int>(b.size()) ? r : 0]);
  });
  const int rows = Y.state().axes[0].extent, cols = Y.state().axes[1].extent;
  trial.mistake("column-major", Y, [=](int r, int c) -> Expected {
    return static_cast<float>(X(r, c) + b[(r * cols + c) / rows]);
  });
  trial.mistake_if("missing-guard", [=](const Diagnostic& d) {
    return d.is_out_of_global_bounds() &&
           d.block[0] * 8 + d.thread[1] >= static_cast<unsigned>(rows);
  });
  trial.mistake_if("bias-by-row", [=](const Diagnostic& d) {
    return d.is_out_of_global_bounds() &&
           d.block[0] * 8 + d.thread[1] == static_cast<unsigned>(cols);
  });
  if (rows > 65'535) {
    trial.mistake_if("rows-on-y", [](const Diagnostic& d) { return d.is("launch_error"); });
  }
}

void grade(int rows, int cols, Values x = {}, Values bias = {}, bool big = false) {
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto X = trial.input("X", {{"r", rows}, {"c", cols}}, std::move(x));
  const auto b = trial.input("b", {{"c", cols}}, std::move(bias));
  const auto Y = trial.output("Y", {{"r", rows}, {"c", cols}});
  // One addition, correctly rounded: to the last bit.
  trial.expect(Y, [=](int r, int c) { return static_cast<float>(X(r, c) + b(c)); });
  know_mistakes(trial, Y, X, b, [](int, int) { return Expected::unwritten(); });
  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { bias_add(X, b, Y, rows, cols, stream); });
}

void grade_in_place(int rows, int cols, Values x = {}, Values bias = {}) {
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto b = trial.input("b", {{"c", cols}}, std::move(bias));
  const auto Y = trial.in_place("Y", {{"r", rows}, {"c", cols}}, std::move(x));
  trial.expect(Y, [=](int r, int c) { return static_cast<float>(Y(r, c) + b(c)); });
  trial.mistake("two-passes", Y, [=](int, int c) { return 2 * b(c); });
  know_mistakes(trial, Y, Y, b, [=](int r, int c) -> Expected { return Y(r, c); });
  trial.call([&](cudaStream_t stream) { bias_add(Y, b, Y, rows, cols, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 columns") {
  const auto size = [](const char* name) { return micro_batch::example_int("004_bias_add", name); };
  const auto values = [](const char* name) { return micro_batch::example("004_bias_add", name); };
  grade(size("rows"), size("cols"), values("X"), values("b"));
  grade_in_place(size("rows"), size("cols"), values("X"), values("b"));
}

LESSON_CASE("one element, one row, one column") {
  grade(1, 1);
  grade(1, 45);
  grade(37, 1);
}

LESSON_CASE("a warp of columns, one less, one more") {
  for (const int cols : {31, 32, 33, 70}) grade(5, cols);
}

LESSON_CASE("rows and columns that differ") {
  Random random = case_random();
  for (const auto [rows, cols] : unequal_pairs(random, 6, 3000)) grade(rows, cols);
}

LESSON_CASE("Y is X") {
  grade_in_place(1, 1);
  grade_in_place(9, 33);
  grade_in_place(67, 5);
}

LESSON_CASE("no rows") {
  grade(0, 5);
  grade_in_place(0, 3);
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(40, 6, random.extremes(240, 1e38f), random.extremes(6, 1e38f));
  grade(40, 3, random.extremes(120, 1e38f), {0.0f, -0.0f, 0x1p-140f});  // denormals are kept
}

LESSON_CASE("more than a million rows") {
  grade(1'100'000, 1, {}, {}, true);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(3, wide_row, {}, {}, true);
}

BENCH_CASE("512 rows of 100 columns") {
  grade(512, 100);
}
