// 030 expert_up_bias: Z[rows of e] += b1[e], in place
#include "testing/grader.h"

#include <algorithm>
#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

void know_mistakes(Trial& trial, const Array<float>& Z, const Array<float>& b1,
                   const Offsets& starts, int P, int E) {
  const auto with = [=](int row, int h, int e) { return rounded(Z(row, h) + b1(e, h)); };
  trial.mistake("first-match", Z, [=](int row, int h) {
    const auto found = std::lower_bound(starts.begin(), starts.end(), row);
    const auto e = static_cast<int>(found - starts.begin());
    return with(row, h, found != starts.end() && *found == row ? e : e - 1);
  });
  trial.mistake("strictly-before", Z, [=](int row, int h) {
    const auto found = std::lower_bound(starts.begin(), starts.end(), row);
    return with(row, h, std::max(0, static_cast<int>(found - starts.begin()) - 1));
  });
  if (E > 2) {
    trial.mistake("last-left-out", Z, [=](int row, int h) {
      return with(row, h, std::min(owner_of_row(starts, row), E - 2));
    });
  }
  trial.mistake("one-past-middle", Z, [=](int row, int h) {
    int low = 0, high = E;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (starts[static_cast<std::size_t>(middle)] <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return with(row, h, low);
  });
  trial.mistake("one-search-a-block", Z,
                [=](int row, int h) { return with(row, h, owner_of_row(starts, row / 8 * 8)); });
  trial.mistake_if("no-guard", [=](const Diagnostic& d) {
    return d.is("out_of_bounds") &&
           d.message.find("Z[row=" + std::to_string(P) + ",") != std::string::npos;
  });
}

void grade(Offsets starts, int H, Values z = {}, Values bias = {}, bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"H", H}};
  const auto Z = trial.in_place("Z", {{"row", P}, {"h", H}}, std::move(z));
  const auto b1 = trial.input("b1", {{"e", E}, {"h", H}}, std::move(bias));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  trial.expect(Z, oracle::expert_up_bias(Z.values(), b1.values(), starts, P, E, H));
  know_mistakes(trial, Z, b1, starts, P, E);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_up_bias(Z, b1, offsets, P, E, H, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: row 3 belongs to expert 2, though expert 1 begins there too") {
  const Values product{1, 0, -1, 1, 1, 0, 2, 1, -1, 1, -1, 0, 1, 0, 1, 1, -1, 0};  // Xs W1
  grade(micro_batch::ints("offsets"), 3, product, micro_batch::floats("b1"));
}

LESSON_CASE("one row, one expert, one column") {
  grade({0, 1}, 1);
  grade({0, 1}, 5);
  grade({0, 7}, 3);
  grade({0, 0, 1}, 2);
  grade({0, 1, 1}, 3);
}

LESSON_CASE("a row for each of 1 to 9 experts") {
  for (int E = 1; E <= 9; ++E)
    grade(oracle::expert_offsets(Offsets(static_cast<std::size_t>(E), 1)), 2);
}

LESSON_CASE("empty experts at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3);
  grade(oracle::expert_offsets({4, 0, 0, 0, 3, 0, 1}), 2);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 4);
  grade(oracle::expert_offsets({0, 3, 0, 0, 0, 0, 0, 2, 0}), 1);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({37, 0, 0, 0}), 3);
  grade(oracle::expert_offsets({0, 0, 37, 0, 0, 0}), 2);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 5);
}

LESSON_CASE("rows as wide as a warp, one less, one more") {
  for (const int H : {31, 32, 33, 70}) grade(oracle::expert_offsets({2, 0, 3}), H);
}

LESSON_CASE("a block of rows, one less, one more") {
  for (const int P : {7, 8, 9}) grade(oracle::expert_offsets({3, P - 3}), 2);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, H] : unequal_pairs(random, 5, 2500)) {
    grade(random_offsets(random, P, random.integer(2, 40)), H);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  // Few rows: a grid with blocks for every expert is right as well, and must not take long.
  grade(random_offsets(random, 16, 1024), 2, {}, {}, true);
  grade(oracle::expert_offsets(Offsets(200, 1)), 1, {}, {}, true);
}

LESSON_CASE("no rows") {
  grade({0, 0, 0, 0}, 5);
}

LESSON_CASE("sums that cancel, values of every size") {
  Random random = case_random();
  const Values bias = random.extremes(12);
  Values z = random.extremes(60);
  for (std::size_t h = 0; h < 6; ++h) z[h] = -bias[h];  // the first row's sums are 0
  grade(oracle::expert_offsets({4, 6}), 6, z, bias);
}

LESSON_CASE("more than a million rows") {
  const int P = 1'100'000;
  Trial trial{{"P", P}, {"E", 1}, {"H", 1}};
  const auto Z = trial.in_place("Z", {{"row", P}, {"h", 1}});
  const auto b1 = trial.input("b1", {{"e", 1}, {"h", 1}});
  const auto offsets = trial.input("offsets", {{"e", 2}}, Offsets{0, P});
  trial.expect(Z, [=](int row, int) { return rounded(Z[row] + b1[0]); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_up_bias(Z, b1, offsets, P, 1, 1, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 1, 3}, wide_row, {}, {}, true);
}

BENCH_CASE("P = 128, E = 64, H = 64, two rows for each expert") {
  grade(oracle::expert_offsets(Offsets(64, 2)), 64);
}
