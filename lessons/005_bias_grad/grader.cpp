// 005 bias_grad: db[c] += sum_r dY[r,c]
#include "testing/grader.h"

#include <algorithm>

using namespace testing;

namespace {

using Values = std::vector<float>;

struct Options {
  int calls = 1;
  int most_runs = 0;
  bool sample = false;
  bool exact = false;  // sums of whole numbers, in which nothing rounds
};

void grade(int rows, int cols, Options options = {}, Values dy = {}, Values before = {}) {
  Trial trial{{"rows", rows}, {"cols", cols}};
  const auto dY = trial.input("dY", {{"r", rows}, {"c", cols}}, std::move(dy));
  const auto db = trial.accumulated("db", {{"c", cols}}, std::move(before));

  // Two calls add the same rows twice.
  Values all_rows;
  for (int call = 0; call < options.calls; ++call) {
    const Values once = dY.values();
    all_rows.insert(all_rows.end(), once.begin(), once.end());
  }
  const int all = rows * options.calls;
  oracle::Bounded right = oracle::bias_grad(all_rows, db.values(), all, cols);
  if (options.exact) std::ranges::fill(right.bound, 0.0);
  trial.expect(db, right);

  const Values nothing(static_cast<std::size_t>(cols), 0.0f);
  trial.mistake("overwrites", db, oracle::bias_grad(dY.values(), nothing, rows, cols));
  trial.mistake("first-rows-only", db, [&](int c) {
    Sum sum(db(c));
    for (int r = 0; r < std::min(rows, 8); ++r) sum += dY(r, c);
    return sum;
  });
  trial.mistake("wrong-stride", db, [&](int c) {
    Sum sum(db(c));
    for (int r = 0; r < rows; ++r) {
      if (r % 32 < 8) sum += dY(r, c);
    }
    return sum;
  });
  trial.mistake("all-add", db, [&](int c) {
    Sum sum(db(c));
    for (int r = 0; r < rows; ++r) sum += 8 * dY(r, c);
    return sum;
  });
  // Those who never came are the threads past the last column.
  trial.mistake_if("return-before-barrier", [=](const Diagnostic& d) {
    return d.is("barrier_divergence") && d.global_x(32) >= cols;
  });
  // Within a block, on an array of the kernel's own: its partial sums.
  trial.mistake_if("missing-barrier", [](const Diagnostic& d) {
    return d.is("race") && d.array != "db" && d.reach != Diagnostic::Reach::grid;
  });
  trial.mistake_if("all-add", [](const Diagnostic& d) {
    return d.is("race") && d.array == "db" && d.reach == Diagnostic::Reach::block;
  });

  if (options.most_runs > 0) trial.limit_runs(options.most_runs);
  if (options.sample) trial.sample_blocks();
  trial.call([&](cudaStream_t stream) {
    for (int call = 0; call < options.calls; ++call) bias_grad(dY, db, rows, cols, stream);
  });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 columns") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("005_bias_grad", name);
  };
  const auto values = [](const char* name) { return micro_batch::example("005_bias_grad", name); };
  grade(size("rows"), size("cols"), {}, values("dY"), values("db_before"));
}

LESSON_CASE("one element, one row, one column") {
  grade(1, 1);
  grade(1, 45);
  grade(37, 1);
}

LESSON_CASE("a block of columns, one less, one more") {
  for (const int cols : {31, 32, 33, 70}) grade(19, cols);
}

LESSON_CASE("rows that the threads of a column share unevenly") {
  for (const int rows : {2, 3, 7, 8, 9, 16, 255, 256, 257}) grade(rows, 3);
}

LESSON_CASE("rows and columns that differ") {
  Random random = case_random();
  for (const auto [rows, cols] : unequal_pairs(random, 5, 3000)) grade(rows, cols);
}

LESSON_CASE("no rows: db stays as it is") {
  grade(0, 5);
  grade(0, 33);
}

LESSON_CASE("two calls add twice") {
  grade(21, 35, {.calls = 2});
}

LESSON_CASE("values of every size, and sums that cancel") {
  Random random = case_random();
  grade(40, 6, {}, random.extremes(240), random.extremes(6));
  grade(1, 40, {}, random.extremes(40, 1e-37f), Values(40, 0.0f));  // denormals are kept
  // Every row once with each sign: what is left of a column is a little of its last row.
  Values dy = random.values(20 * 5);
  for (std::size_t i = 0; i < 50; ++i) dy[50 + i] = -dy[i];
  for (std::size_t i = 95; i < 100; ++i) dy[i] *= 1.001f;
  grade(20, 5, {}, dy, Values(5, 0.0f));
}

LESSON_CASE("tall columns: every row counts, and their number is prime") {
  Random random = case_random();
  for (const int rows : {1'009, 2'503}) grade(rows, 3, {}, tall_terms(random, rows, 3));
}

LESSON_CASE("more than 65,535 rows") {
  // What so many roundings may add up to would hide a few rows, were all of one size.
  Random random = case_random();
  grade(65'537, 2, {.most_runs = 1}, tall_terms(random, 65'537, 2));
}

LESSON_CASE("65,543 rows of small whole numbers, whose sums are exact: a single row shows") {
  Random random = case_random();
  grade(65'543, 2, {.most_runs = 1, .exact = true}, random.whole_numbers(65'543 * 2, 1, 7),
        Values(2, 1.0f));
}

// Of a big grid only some blocks run. With one row no two of them can share a column's sum.
LESSON_CASE("more than 65,535 columns") {
  grade(1, 66'000, {.most_runs = 1, .sample = true});
}

BENCH_CASE("2,048 rows of 160 columns") {
  grade(2048, 160);
}
