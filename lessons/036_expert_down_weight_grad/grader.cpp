// 036 expert_down_weight_grad: dW2[e] += A_e^T dYs_e
#include "testing/grader.h"

#include <algorithm>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

struct Inputs {
  Values A, dYs, dW2;
};

struct Options {
  int calls = 1;
  bool once = false;
  bool if_quick = false;
  bool sample = false;
  bool exact = false;  // sums of whole numbers, in which nothing rounds
  bool counted = false;
};

void know_mistakes(Trial& trial, const Array<float>& A, const Array<float>& dYs,
                   const Array<int>& offsets, const Array<float>& dW2) {
  const int P = A.state().axes[0].extent, E = dW2.state().axes[0].extent;
  const int H = dW2.state().axes[1].extent, D = dW2.state().axes[2].extent;
  struct Range {
    int begin, end;
  };
  const auto own = [=](int e) { return Range{offsets[e], offsets[e + 1]}; };
  const auto product = [=](double held, Range rows, int h, int d) {
    Sum sum(held);
    for (int row = rows.begin; row < rows.end; ++row) sum += A(row, h) * dYs(row, d);
    return sum;
  };
  trial.mistake("overwrites", dW2, [=](int e, int h, int d) { return product(0, own(e), h, d); });
  if (E > 1) {
    trial.mistake("all-rows", dW2, [=](int e, int h, int d) {
      return product(dW2(e, h, d), Range{0, P}, h, d);
    });
  }
  trial.mistake("columns-first", dW2, [=](int e, int h, int d) {
    const int i = h * D + d;  // which a kernel took for d * H + h
    return product(dW2(e, h, d), own(e), i % H, i / H);
  });
  trial.mistake_if("thread-a-row", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("dW2[") != std::string::npos;
  });
  trial.mistake_if("tile-replaced-too-early", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("dW2[") == std::string::npos;
  });
}

void grade(Ints starts, int H, int D, Inputs in = {}, Options options = {}) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"H", H}, {"D", D}};
  const auto A = trial.input("A", {{"row", P}, {"h", H}}, std::move(in.A));
  const auto dYs = trial.input("dYs", {{"row", P}, {"d", D}}, std::move(in.dYs));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto dW2 = trial.accumulated("dW2", {{"e", E}, {"h", H}, {"d", D}}, std::move(in.dW2));

  const auto add = [&](const oracle::Input& held) {
    return oracle::expert_down_weight_grad(A.values(), dYs.values(), offsets.values(), held, P, E,
                                           H, D);
  };
  oracle::Bounded right = add(dW2.values());
  for (int call = 1; call < options.calls; ++call) right = add(oracle::Bounded(right));
  if (options.exact) std::ranges::fill(right.bound, 0.0);
  trial.expect(dW2, right);
  know_mistakes(trial, A, dYs, offsets, dW2);

  if (options.once) trial.limit_runs(1);
  if (options.if_quick) trial.judge_if_quick();
  if (options.sample) trial.sample_blocks(10'000);
  const auto call = [&](cudaStream_t stream) {
    for (int each = 0; each < options.calls; ++each) {
      expert_down_weight_grad(A, dYs, offsets, dW2, P, E, H, D, stream);
    }
  };
  trial.call(call);
  if (!options.counted) return;
  // Both operands and the weights once, and a tile's 256 threads read where their rows lie.
  const Counts counts = trial.count(call);
  if (counts.available) {
    note_goal("bytes that the threads load", counts["load_bytes"],
              4 * (P * (H + D) + H * D + 2 * 256));
  }
}

Values zeros(int n) {
  return Values(static_cast<std::size_t>(n), 0.0f);
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle, gradients of 1 before") {
  grade(micro_batch::ints("offsets"), 3, 2,
        {micro_batch::floats("A"), micro_batch::floats("dYs"), Values(24, 1.0f)});
}

LESSON_CASE("one row, one expert, one weight") {
  grade({0, 1}, 1, 1);
  grade({0, 1}, 3, 5);
  grade({0, 7}, 2, 1);
  grade({0, 1, 2, 3}, 1, 2);
}

LESSON_CASE("empty experts keep what they had: at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 4, 3);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 3, 4);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 5, 2);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({0, 37, 0}), 5, 3);
  grade(oracle::expert_offsets({37, 0, 0, 0}), 2, 7);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 3, 2);
}

LESSON_CASE("a step of rows, one less, one more") {
  grade(oracle::expert_offsets({7, 8, 9, 1, 15, 16, 17}), 3, 2);
  grade(oracle::expert_offsets({31, 33}), 2, 3);
}

LESSON_CASE("tiles of weights, one less, one more") {
  grade(oracle::expert_offsets({2, 0, 3}), 17, 15);
  grade(oracle::expert_offsets({3, 1}), 31, 33);
  grade(oracle::expert_offsets({2}), 65, 63);
  grade(oracle::expert_offsets({1, 2}), 4, 129);
}

LESSON_CASE("two calls add twice") {
  grade(oracle::expert_offsets({5, 0, 11}), 7, 5, {}, {.calls = 2});
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, H, D] : unequal_triples(random, 4, 4000)) {
    grade(random_offsets(random, P, random.integer(2, 6)), H, D);
  }
}

LESSON_CASE("one of many experts takes nearly all rows") {
  grade(crowded_offsets(), 2, 1, {}, {.once = true});
}

LESSON_CASE("experts that begin at the last row of a tile, the one before, the two after") {
  for (const std::vector<int>& offsets : offsets_at_tile_ends()) {
    grade(offsets, 2, 1, {}, {.once = true});
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 8, 1024), 3, 2, {}, {.once = true});
}

LESSON_CASE("no rows: dW2 stays as it is") {
  grade({0, 0, 0, 0}, 3, 5);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int rows : {1, 8, 32}) grade({0, rows}, 5, 4, {{}, {}, zeros(20)});
  Random random = case_random();
  grade({0, 1}, 2, 17, {random.values(2), random.extremes(17), zeros(34)});  // denormals are kept
  // Each row of the expert once with each sign: what is left is a little of its last one.
  Inputs in{random.values(20 * 3), random.values(20 * 4), zeros(12)};
  std::copy_n(in.A.begin(), 30, in.A.begin() + 30);
  for (std::size_t i = 0; i < 40; ++i) in.dYs[40 + i] = -in.dYs[i];
  for (std::size_t i = 76; i < 80; ++i) in.dYs[i] *= 1.001f;
  grade({0, 20}, 3, 4, in);
}

LESSON_CASE("one expert with many rows") {
  grade(oracle::expert_offsets({3, 1500}), 2, 1);
}

LESSON_CASE("10,007 rows of small whole numbers, whose sums are exact: a single row shows") {
  Random random = case_random();
  Inputs in{random.whole_numbers(10'012 * 2, 1, 3), random.whole_numbers(10'012, 1, 3), zeros(4)};
  grade({0, 5, 10'012}, 2, 1, in, {.once = true, .exact = true});
}

LESSON_CASE("rows past 65,536, each of its own") {
  grade({0, 65'400, 66'000}, 2, 1, {}, {.if_quick = true});
}

// Of a big grid only some blocks run, and what the others would add must not be missed: dYs is 0
// here and in the next case.
LESSON_CASE("more than 65,535 rows") {
  const int E = 1024, P = 66'000;
  Ints offsets;
  for (int e = 0; e <= E; ++e) offsets.push_back(static_cast<int>(static_cast<long>(P) * e / E));
  grade(offsets, 2, 1, {{}, zeros(P), {}}, {.once = true, .sample = true});
}

LESSON_CASE("more than 65,535 columns") {
  grade({0, 1}, 2, 66'000, {{}, zeros(66'000), {}}, {.once = true, .sample = true});
}

LESSON_CASE("a tile of 64 x 64 weights, whose loads are counted") {
  grade({0, 16}, 64, 64, {}, {.once = true, .counted = true});
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 2}, wide_row, 2, {}, {.once = true});
}

BENCH_CASE("P = 64, E = 3, H = 128, D = 64") {
  grade(oracle::expert_offsets({40, 0, 24}), 128, 64, {}, {.once = true});
}
