// 033 expert_down_bias: Ys[rows of e] += b2[e], in place
#include "testing/grader.h"

#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

constexpr int kThreads = 256;

void know_mistakes(Trial& trial, const Array<float>& Ys, const Array<float>& b2,
                   const Offsets& starts, int P) {
  const auto with = [=](int row, int col, int e) { return rounded(Ys(row, col) + b2(e, col)); };
  trial.mistake("bias-kept-too-long", Ys, [=](int row, int col) { return with(row, col, 0); });
  trial.mistake("first-row-only", Ys, [=](int row, int col) -> Expected {
    const int e = owner_of_row(starts, row);
    if (row > starts[static_cast<std::size_t>(e)]) return Ys(row, col);
    return with(row, col, e);
  });
  trial.mistake("one-block-of-columns", Ys, [=](int row, int col) -> Expected {
    if (col >= kThreads) return Ys(row, col);
    return with(row, col, owner_of_row(starts, row));
  });
  trial.mistake_if("end-included", [=](const Diagnostic& d) {
    return d.is("out_of_bounds") &&
           d.message.find("Ys[row=" + std::to_string(P) + ",") != std::string::npos;
  });
  // Blocks of two experts meet at row 0 only if both start there.
  trial.mistake_if("walks-all-rows", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("Ys[row=0,") != std::string::npos &&
           d.message.find("of block (0,1,0)") != std::string::npos;
  });
}

void grade(Offsets starts, int D, Values ys = {}, Values bias = {}, bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}};
  const auto Ys = trial.in_place("Ys", {{"row", P}, {"d", D}}, std::move(ys));
  const auto b2 = trial.input("b2", {{"e", E}, {"d", D}}, std::move(bias));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  trial.expect(Ys, oracle::expert_down_bias(Ys.values(), b2.values(), starts, P, E, D));
  know_mistakes(trial, Ys, b2, starts, P);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_down_bias(Ys, b2, offsets, P, E, D, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle") {
  const Values product{3, 0, 4, 0, 5, 1, 0, 1, -2, 0, -3, 3};  // A W2
  grade(micro_batch::ints("offsets"), 2, product, micro_batch::floats("b2"));
}

LESSON_CASE("one row, one expert, one column") {
  grade({0, 1}, 1);
  grade({0, 1}, 5);
  grade({0, 7}, 3);
  grade({0, 0, 1, 1}, 2);
  grade({0, 1, 2, 3}, 1);
}

LESSON_CASE("empty experts at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 2);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 4);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({37, 0, 0, 0}), 3);
  grade(oracle::expert_offsets({0, 0, 37, 0}), 2);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 5);
}

LESSON_CASE("columns: a warp or a block, one less, one more") {
  for (const int D : {31, 32, 33, 255, 256, 257, 600}) grade(oracle::expert_offsets({2, 0, 1}), D);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D] : unequal_pairs(random, 4, 2500)) {
    grade(random_offsets(random, P, random.integer(2, 20)), D);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 16, 1024), 2, {}, {}, true);
}

LESSON_CASE("no rows") {
  grade({0, 0, 0, 0}, 5);
}

LESSON_CASE("sums that cancel, values of every size") {
  Random random = case_random();
  const Values bias = random.extremes(12);
  Values ys = random.extremes(60);
  for (std::size_t d = 0; d < 6; ++d) ys[d] = -bias[d];  // the first row's sums are 0
  grade(oracle::expert_offsets({4, 6}), 6, ys, bias);
}

LESSON_CASE("more than a million rows") {
  const int P = 1'100'000;
  Trial trial{{"P", P}, {"E", 1}, {"D", 1}};
  const auto Ys = trial.in_place("Ys", {{"row", P}, {"d", 1}});
  const auto b2 = trial.input("b2", {{"e", 1}, {"d", 1}});
  const auto offsets = trial.input("offsets", {{"e", 2}}, Offsets{0, P});
  trial.expect(Ys, [=](int row, int) { return rounded(Ys[row] + b2[0]); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_down_bias(Ys, b2, offsets, P, 1, 1, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 1, 3}, wide_row, {}, {}, true);
}

BENCH_CASE("P = 128, E = 8, D = 512, 16 rows for each expert") {
  grade(oracle::expert_offsets(Offsets(8, 16)), 512);
}
