// 035 expert_down_bias_grad: db2[e] += the column sums of the rows of expert e
#include "testing/grader.h"

#include <algorithm>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

struct Options {
  int calls = 1;
  bool once = false;
  bool if_quick = false;
  bool sample = false;
  bool exact = false;  // sums of whole numbers, in which nothing rounds
};

void know_mistakes(Trial& trial, const Array<float>& dYs, const Array<int>& offsets,
                   const Array<float>& db2) {
  const int P = dYs.state().axes[0].extent;
  // What is there plus the rows of a range that some slip has changed.
  const auto sum_of = [=](bool keeps, auto end_of) {
    return [=](int e, int d) {
      Sum sum(keeps ? db2(e, d) : 0.0);
      for (int row = offsets[e]; row < end_of(e); ++row) sum += dYs(row, d);
      return sum;
    };
  };
  trial.mistake("overwrites", db2, sum_of(false, [=](int e) { return offsets[e + 1]; }));
  trial.mistake("end-included", db2,
                sum_of(true, [=](int e) { return std::min(offsets[e + 1] + 1, P); }));
  trial.mistake_if("end-included", [](const Diagnostic& d) {
    return d.is("out_of_bounds") && d.message.find("dYs") != std::string::npos;
  });
  trial.mistake_if("barrier-in-the-loop",
                   [](const Diagnostic& d) { return d.misses_block_barrier(); });
  trial.mistake_if("two-owners", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("db2[") != std::string::npos;
  });
  trial.mistake_if("partial-left-empty", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("shared") != std::string::npos;
  });
}

void grade(Ints starts, int D, Options options = {}, Values dys = {}, Values before = {}) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}};
  const auto dYs = trial.input("dYs", {{"row", P}, {"d", D}}, std::move(dys));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto db2 = trial.accumulated("db2", {{"e", E}, {"d", D}}, std::move(before));

  const auto add = [&](const oracle::Input& held) {
    return oracle::expert_down_bias_grad(dYs.values(), offsets.values(), held, P, E, D);
  };
  oracle::Bounded right = add(db2.values());
  for (int call = 1; call < options.calls; ++call) right = add(oracle::Bounded(right));
  if (options.exact) std::ranges::fill(right.bound, 0.0);
  trial.expect(db2, right);
  know_mistakes(trial, dYs, offsets, db2);

  if (options.once) trial.limit_runs(1);
  if (options.if_quick) trial.judge_if_quick();
  if (options.sample) trial.sample_blocks();
  trial.call([&](cudaStream_t stream) {
    for (int call = 0; call < options.calls; ++call) {
      expert_down_bias_grad(dYs, offsets, db2, P, E, D, stream);
    }
  });
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle, gradients of 1 before") {
  grade(micro_batch::ints("offsets"), 2, {}, micro_batch::floats("dYs"), Values(8, 1.0f));
}

LESSON_CASE("one row, one expert, one column") {
  grade({0, 1}, 1);
  grade({0, 1}, 5);
  grade({0, 7}, 1);
  grade({0, 1, 2, 3}, 2);
}

LESSON_CASE("empty experts keep what they had: at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 4);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 5);
}

LESSON_CASE("rows that the threads of a column share evenly, and unevenly") {
  grade(oracle::expert_offsets({8, 16, 8}), 3);
  grade(oracle::expert_offsets({7, 9, 1, 15, 17}), 3);
  grade(oracle::expert_offsets({31, 33, 63, 65}), 2);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({0, 257, 0}), 3);
  grade(oracle::expert_offsets({37, 0, 0, 0}), 2);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 4);
}

LESSON_CASE("a block of columns, one less, one more") {
  for (const int D : {31, 32, 33, 70}) grade(oracle::expert_offsets({9, 0, 3}), D);
}

LESSON_CASE("two calls add twice") {
  grade(oracle::expert_offsets({5, 0, 11}), 35, {.calls = 2});
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D] : unequal_pairs(random, 4, 3000)) {
    grade(random_offsets(random, P, random.integer(2, 12)), D);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 8, 1024), 2, {.once = true});
}

LESSON_CASE("no rows: db2 stays as it is") {
  grade({0, 0, 0, 0}, 5);
  grade({0, 0}, 33);
}

LESSON_CASE("values of every size, and sums that cancel") {
  Random random = case_random();
  grade(oracle::expert_offsets({13, 0, 27}), 4, {}, random.extremes(160), random.extremes(12));
  grade({0, 1}, 40, {}, random.extremes(40, 1e-37f), Values(40, 0.0f));  // denormals are kept
  // Each row of an expert once with each sign: what is left is a little of its last one.
  Values dys = random.values(20 * 5);
  for (std::size_t i = 0; i < 50; ++i) dys[50 + i] = -dys[i];
  for (std::size_t i = 95; i < 100; ++i) dys[i] *= 1.001f;
  grade({0, 0, 20}, 5, {}, dys, Values(10, 0.0f));
}

LESSON_CASE("tall columns: every row counts, and their number is prime") {
  Random random = case_random();
  Values dys = random.values(5 * 3);
  const Values tall = tall_terms(random, 2'503, 3);
  dys.insert(dys.end(), tall.begin(), tall.end());
  grade({0, 5, 5 + 2'503}, 3, {}, dys);
}

LESSON_CASE("20,011 rows of small whole numbers, whose sums are exact: a single row shows") {
  Random random = case_random();
  grade({0, 5, 20'016}, 2, {.once = true, .exact = true}, random.whole_numbers(20'016 * 2, 1, 7),
        Values(4, 0.0f));
}

LESSON_CASE("more than 65,535 rows") {
  // Few rows for the last expert: what 66,000 roundings may add up to would hide some.
  grade({0, 65'400, 66'000}, 2, {.if_quick = true});
}

// Of a big grid only some blocks run. With one row no two of them can share a column's sum.
LESSON_CASE("more than 65,535 columns") {
  grade({0, 1}, 66'000, {.once = true, .sample = true});
}

BENCH_CASE("P = 2,048, E = 8, D = 96, an expert without rows") {
  grade(oracle::expert_offsets({512, 256, 0, 384, 128, 320, 64, 384}), 96);
}
