// 037 expert_hidden_grad: dA_e = dYs_e W2[e]^T
#include "testing/grader.h"

#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

constexpr int kWidth = 32;  // of the stub's tiles

void know_mistakes(Trial& trial, const Array<float>& dA, const Array<float>& dYs,
                   const Array<float>& W2, const Array<int>& offsets, int H, int D) {
  const Offsets expert = row_owners(offsets.values());
  const auto own = [=](int row) { return expert[static_cast<std::size_t>(row)]; };
  const auto dot = [=](int row, auto weight) {
    Sum sum;
    for (int d = 0; d < D; ++d) sum += dYs(row, d) * weight(d);
    return sum;
  };
  trial.mistake("widths-swapped", dA, [=](int row, int h) {
    return dot(row, [&](int d) { return W2[(own(row) * H * D) + d * H + h]; });
  });
  trial.mistake("tile-not-turned", dA, [=](int row, int h) {
    return dot(row, [&](int d) {
      const int other_h = h / kWidth * kWidth + d % kWidth;
      const int other_d = d / kWidth * kWidth + h % kWidth;
      return other_h < H && other_d < D ? W2(own(row), other_h, other_d) : 0.0;
    });
  });
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is_race_in_shared_memory(); });
  trial.mistake_if("early-return", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::block_returned);
  });
  // The column of the padding, which only a reader meets that counts other rows than the writer.
  trial.mistake_if("padded-on-one-side", [](const Diagnostic& d) {
    return d.is("uninitialized_read") &&
           d.message.find("[32], in shared memory") != std::string::npos;
  });
}

void grade(Offsets starts, int H, int D, Values gradients = {}, Values weights = {},
           bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"H", H}, {"D", D}};
  const auto dYs = trial.input("dYs", {{"row", P}, {"d", D}}, std::move(gradients));
  const auto W2 = trial.input("W2", {{"e", E}, {"h", H}, {"d", D}}, std::move(weights));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto dA = trial.output("dA", {{"row", P}, {"h", H}});
  trial.expect(dA,
               oracle::expert_hidden_grad(dYs.values(), W2.values(), offsets.values(), P, E, H, D));
  know_mistakes(trial, dA, dYs, W2, offsets, H, D);
  if (once) trial.limit_runs(1);
  trial.call(
      [&](cudaStream_t stream) { expert_hidden_grad(dYs, W2, offsets, dA, P, E, H, D, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle") {
  grade(micro_batch::ints("offsets"), 3, 2, micro_batch::floats("dYs"), micro_batch::floats("W2"));
}

LESSON_CASE("one row, one expert, one column") {
  grade({0, 1}, 1, 1);
  grade({0, 1}, 5, 3);
  grade({0, 0, 1, 1}, 2, 1);
  grade({0, 7}, 3, 2);
  grade({0, 1, 2, 3}, 1, 2);
}

LESSON_CASE("empty experts at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3, 4);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 4, 3);
  grade(oracle::expert_offsets({2, 9, 0, 0}), 2, 5);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({0, 37, 0}), 3, 5);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 5, 2);
}

LESSON_CASE("H: a tile, one less, one more") {
  for (const int H : {15, 16, 17, 31, 32, 33, 65}) grade(oracle::expert_offsets({2, 0, 3}), H, 4);
}

LESSON_CASE("D: a tile, one less, one more") {
  for (const int D : {15, 16, 17, 31, 32, 33, 65}) grade(oracle::expert_offsets({2, 0, 3}), 5, D);
}

LESSON_CASE("rows: a tile, one less, one more") {
  grade(oracle::expert_offsets({7, 8, 9, 1, 16, 17}), 3, 2);
}

LESSON_CASE("several tiles each way") {
  grade(oracle::expert_offsets({19, 0, 10}), 40, 70);
  grade(oracle::expert_offsets({9, 17}), 70, 40);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, H, D] : unequal_triples(random, 4, 4000)) {
    grade(random_offsets(random, P, random.integer(2, 12)), H, D);
  }
}

LESSON_CASE("one of many experts takes nearly all rows") {
  grade(crowded_offsets(), 2, 1, {}, {}, true);
}

LESSON_CASE("experts that begin at the last row of a tile, the one before, the two after") {
  for (const std::vector<int>& offsets : offsets_at_tile_ends()) {
    grade(offsets, 2, 1, {}, {}, true);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 5, 1024), 3, 2, {}, {}, true);
}

LESSON_CASE("no rows") {
  grade({0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int D : {1, 8, 32}) grade(oracle::expert_offsets({3, 2}), 5, D);
  grade(oracle::expert_offsets({1, 2}), 2, 700);
  Random random = case_random();
  grade({0, 17}, 2, 1, random.extremes(17), random.values(2));  // denormals are kept
}

LESSON_CASE("the adjoint of the forward: <dYs, A W2> = <dA, A>") {
  Random random = case_random();
  const int P = 11, E = 3, H = 6, D = 4;
  const Offsets offsets = oracle::expert_offsets({4, 0, 7});
  const Values A = random.values(66), W2 = random.values(72), dYs = random.values(44);
  const auto Ys = oracle::expert_down(A, W2, offsets, P, E, H, D);
  const auto dA = oracle::expert_hidden_grad(dYs, W2, offsets, P, E, H, D);
  double forward = 0, backward = 0;
  for (std::size_t i = 0; i < dYs.size(); ++i) forward += dYs[i] * Ys.value[i];
  for (std::size_t i = 0; i < A.size(); ++i) backward += A[i] * dA.value[i];
  CHECK(std::fabs(forward - backward) <= 1e-9);
  grade(offsets, H, D, dYs, W2);
}

LESSON_CASE("one expert with more rows than its blocks take at once") {
  grade(oracle::expert_offsets({3, 1100}), 2, 1, {}, {}, true);
}

LESSON_CASE("more than 65,535 rows") {
  // 129 times the 512 rows that 64 blocks of 8 rows take: the last block has the last row. With the
  // half million rows of 029 a block of this kernel would take long here.
  const int P = 66'048;
  Trial trial{{"P", P}, {"E", 1}, {"H", 1}, {"D", 1}};
  const auto dYs = trial.input("dYs", {{"row", P}, {"d", 1}});
  const auto W2 = trial.input("W2", {{"e", 1}, {"h", 1}, {"d", 1}});
  const auto offsets = trial.input("offsets", {{"e", 2}}, Offsets{0, P});
  const auto dA = trial.output("dA", {{"row", P}, {"h", 1}});
  trial.expect(dA, [=](int row, int) { return static_cast<float>(dYs[row] * W2[0]); });
  trial.sample_blocks(10'000);
  trial.limit_runs(1);
  trial.call(
      [&](cudaStream_t stream) { expert_hidden_grad(dYs, W2, offsets, dA, P, 1, 1, 1, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 2}, wide_row, 2, {}, {}, true);
  grade({0, 1, 3}, 2, wide_row, {}, {}, true);
}

BENCH_CASE("P = 64, E = 4, H = 96, D = 64, 16 rows for each expert") {
  grade(oracle::expert_offsets({16, 16, 16, 16}), 96, 64);
}
