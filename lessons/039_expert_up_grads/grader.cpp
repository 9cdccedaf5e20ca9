// 039 expert_up_grads: dW1[e] += Xs_e^T dZ_e and db1[e] += the column sums of dZ_e
#include "testing/grader.h"

#include <algorithm>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

struct Inputs {
  Values Xs, dZ, dW1, db1;
};

struct Options {
  int calls = 1;
  bool once = false;
  bool if_quick = false;
  bool sample = false;
  bool exact = false;  // sums of whole numbers, in which nothing rounds
};

struct Arrays {
  Array<float> Xs, dZ;
  Array<int> offsets;
  Array<float> dW1, db1;
};

void know_mistakes(Trial& trial, const Arrays& a, int D, int H) {
  const auto weights = [=](double held, int e, int d, int h) {
    Sum sum(held);
    for (int row = a.offsets[e]; row < a.offsets[e + 1]; ++row) sum += a.Xs(row, d) * a.dZ(row, h);
    return sum;
  };
  // The column sum, `times` times.
  const auto bias = [=](double held, int e, int h, int times) {
    Sum sum(held);
    for (int row = a.offsets[e]; row < a.offsets[e + 1]; ++row) sum += times * a.dZ(row, h);
    return sum;
  };
  trial.mistake("bias-of-every-d", a.db1, [=](int e, int h) { return bias(a.db1(e, h), e, h, D); });
  trial.mistake("bias-of-every-tile", a.db1,
                [=](int e, int h) { return bias(a.db1(e, h), e, h, (D + 7) / 8); });
  trial.mistake("overwrites", a.db1, [=](int e, int h) { return bias(0, e, h, 1); });
  trial.mistake("overwrites", a.dW1, [=](int e, int d, int h) { return weights(0, e, d, h); });
  trial.mistake("widths-swapped", a.dW1, [=](int e, int d, int h) {
    const int i = d * H + h;  // which a kernel took for h * D + d
    return weights(a.dW1(e, d, h), e, i % D, i / D);
  });
  // Between two threads of one block; those of two may have shared the rows.
  trial.mistake_if("bias-of-every-d", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("db1[") != std::string::npos &&
           d.message.find(" of block (") == d.message.rfind(" of block (");
  });
}

void grade(Ints starts, int D, int H, Inputs in = {}, Options options = {}) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}, {"H", H}};
  const auto Xs = trial.input("Xs", {{"row", P}, {"d", D}}, std::move(in.Xs));
  const auto dZ = trial.input("dZ", {{"row", P}, {"h", H}}, std::move(in.dZ));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto dW1 = trial.accumulated("dW1", {{"e", E}, {"d", D}, {"h", H}}, std::move(in.dW1));
  const auto db1 = trial.accumulated("db1", {{"e", E}, {"h", H}}, std::move(in.db1));

  const auto add = [&](const oracle::Input& weights, const oracle::Input& biases) {
    return oracle::expert_up_grads(Xs.values(), dZ.values(), offsets.values(), weights, biases, P,
                                   E, D, H);
  };
  oracle::UpGrads right = add(dW1.values(), db1.values());
  for (int each = 1; each < options.calls; ++each) {
    right = add(oracle::Bounded(right.dW1), oracle::Bounded(right.db1));
  }
  if (options.exact) {
    std::ranges::fill(right.dW1.bound, 0.0);
    std::ranges::fill(right.db1.bound, 0.0);
  }
  trial.expect(dW1, right.dW1);
  trial.expect(db1, right.db1);
  know_mistakes(trial, {Xs, dZ, offsets, dW1, db1}, D, H);

  if (options.once) trial.limit_runs(1);
  if (options.if_quick) trial.judge_if_quick();
  if (options.sample) trial.sample_blocks(10'000);
  trial.call([&](cudaStream_t stream) {
    for (int each = 0; each < options.calls; ++each) {
      expert_up_grads(Xs, dZ, offsets, dW1, db1, P, E, D, H, stream);
    }
  });
}

Values zeros(int n) {
  return Values(static_cast<std::size_t>(n), 0.0f);
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle, gradients of 1 before") {
  grade(micro_batch::ints("offsets"), 2, 3,
        {micro_batch::floats("Xs"), micro_batch::floats("dZ"), Values(24, 1.0f), Values(12, 1.0f)});
}

LESSON_CASE("one row, one expert, one weight") {
  grade({0, 1}, 1, 1);
  grade({0, 1}, 5, 3);
  grade({0, 7}, 1, 2);
  grade({0, 1, 2, 3}, 2, 1);
}

LESSON_CASE("empty experts keep what they had: at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3, 4);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 4, 3);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 2, 5);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({0, 37, 0}), 3, 5);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 5, 2);
}

LESSON_CASE("a step of rows, one less, one more") {
  grade(oracle::expert_offsets({7, 8, 9, 1, 15, 16, 17}), 3, 2);
  grade(oracle::expert_offsets({31, 33}), 2, 3);
}

LESSON_CASE("several tiles of weights: each bias is still counted once") {
  grade(oracle::expert_offsets({2, 0, 3}), 17, 15);
  grade(oracle::expert_offsets({3, 1}), 33, 31);
  grade(oracle::expert_offsets({2}), 63, 65);
  grade(oracle::expert_offsets({1, 2}), 129, 4);
}

LESSON_CASE("more hidden units than a block has threads") {
  grade(oracle::expert_offsets({2, 0, 1}), 2, 257);
}

LESSON_CASE("two calls add twice") {
  grade(oracle::expert_offsets({5, 0, 11}), 5, 7, {}, {.calls = 2});
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D, H] : unequal_triples(random, 4, 4000)) {
    grade(random_offsets(random, P, random.integer(2, 6)), D, H);
  }
}

LESSON_CASE("one of many experts takes nearly all rows") {
  grade(crowded_offsets(), 1, 2, {}, {.once = true});
}

LESSON_CASE("experts that begin at the last row of a tile, the one before, the two after") {
  for (const std::vector<int>& offsets : offsets_at_tile_ends()) {
    grade(offsets, 1, 2, {}, {.once = true});
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 8, 1024), 2, 3, {}, {.once = true});
}

LESSON_CASE("no rows: both gradients stay as they are") {
  grade({0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int rows : {1, 8, 32}) grade({0, rows}, 5, 4, {{}, {}, zeros(20), zeros(4)});
  Random random = case_random();
  grade({0, 1}, 2, 17, {random.values(2), random.extremes(17), zeros(34), zeros(17)});
  // Each row of the expert once with each sign: what is left is a little of its last one.
  Inputs in{random.values(20 * 3), random.values(20 * 4), zeros(12), zeros(4)};
  std::copy_n(in.Xs.begin(), 30, in.Xs.begin() + 30);
  for (std::size_t i = 0; i < 40; ++i) in.dZ[40 + i] = -in.dZ[i];
  for (std::size_t i = 76; i < 80; ++i) in.dZ[i] *= 1.001f;
  grade({0, 20}, 3, 4, in);
}

LESSON_CASE("one expert with many rows") {
  grade(oracle::expert_offsets({3, 1500}), 1, 2);
}

LESSON_CASE("10,007 rows of small whole numbers, whose sums are exact: a single row shows") {
  Random random = case_random();
  Inputs in{random.whole_numbers(10'012, 1, 3), random.whole_numbers(10'012 * 2, 1, 3), zeros(4),
            zeros(4)};
  grade({0, 5, 10'012}, 1, 2, in, {.once = true, .exact = true});
}

LESSON_CASE("rows past 65,536, each of its own") {
  grade({0, 65'400, 66'000}, 1, 2, {}, {.if_quick = true});
}

// Of a big grid only some blocks run, and what the others would add must not be missed: dZ is 0
// here and in the next case.
LESSON_CASE("more than 65,535 rows") {
  const int E = 1024, P = 66'000;
  Ints offsets;
  for (int e = 0; e <= E; ++e) offsets.push_back(static_cast<int>(static_cast<long>(P) * e / E));
  grade(offsets, 1, 2, {{}, zeros(2 * P), {}, {}}, {.once = true, .sample = true});
}

LESSON_CASE("more than 65,535 hidden units") {
  grade({0, 1}, 2, 66'000, {{}, zeros(66'000), {}, {}}, {.once = true, .sample = true});
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 2}, wide_row, 2, {}, {.once = true});
}

BENCH_CASE("P = 64, E = 3, D = 64, H = 128") {
  grade(oracle::expert_offsets({40, 0, 24}), 64, 128, {}, {.once = true});
}
