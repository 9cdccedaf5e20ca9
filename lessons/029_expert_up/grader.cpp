// 029 expert_up: Z[rows of e] = Xs[rows of e] W1[e]
#include "testing/grader.h"

#include <algorithm>
#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

struct Arrays {
  Array<float> Xs, W1;
  Array<int> offsets;
  Array<float> Z;
};

void know_mistakes(Trial& trial, const Arrays& a, int P, int E, int D, int H) {
  const Offsets expert = row_owners(a.offsets.values());
  const auto product = [=](int row, int h, int e) {
    Sum dot;
    for (int d = 0; d < D; ++d) dot += a.Xs(row, d) * a.W1[(e * D + d) * H + h];
    return dot;
  };
  trial.mistake("one-expert-for-all", a.Z, [=](int row, int h) { return product(row, h, 0); });
  // The last expert goes over all rows, after the others.
  trial.mistake("rows-from-zero", a.Z, [=](int row, int h) { return product(row, h, E - 1); });
  trial.mistake("wrong-expert-stride", a.Z, [=](int row, int h) -> Expected {
    const int e = expert[static_cast<std::size_t>(row)];
    Sum dot;
    for (int d = 0; d < D; ++d) dot += a.Xs(row, d) * a.W1[e * H + d * H + h];
    return dot;
  });
  // Blocks of 8 rows for P / E rows, or for 512, and no walk.
  for (const int share : {std::min(((P + E - 1) / E + 7) / 8 * 8, 512), 512}) {
    trial.mistake("even-share", a.Z, [=](int row, int h) -> Expected {
      const int e = expert[static_cast<std::size_t>(row)];
      if (row - a.offsets[e] >= share) return Expected::unwritten();
      return product(row, h, e);
    });
  }
  trial.mistake_if("end-included", [=](const Diagnostic& d) {
    return d.is("out_of_bounds") &&
           d.message.find("Xs[row=" + std::to_string(P) + ",") != std::string::npos;
  });
  trial.mistake_if("host-reads-offsets",
                   [](const Diagnostic& d) { return d.is("forbidden_call"); });
}

void grade(Offsets starts, int D, int H, Values xs = {}, Values weights = {}, bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}, {"H", H}};
  const auto Xs = trial.input("Xs", {{"row", P}, {"d", D}}, std::move(xs));
  const auto W1 = trial.input("W1", {{"e", E}, {"d", D}, {"h", H}}, std::move(weights));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto Z = trial.output("Z", {{"row", P}, {"h", H}});
  trial.expect(Z, oracle::expert_up(Xs.values(), W1.values(), offsets.values(), P, E, D, H));
  know_mistakes(trial, {Xs, W1, offsets, Z}, P, E, D, H);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_up(Xs, W1, offsets, Z, P, E, D, H, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle") {
  grade(micro_batch::ints("offsets"), 2, 3, micro_batch::floats("Xs"), micro_batch::floats("W1"));
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
  grade(oracle::expert_offsets({37, 0, 0, 0}), 2, 3);
  grade(oracle::expert_offsets({0, 0, 0, 0, 37}), 5, 2);
}

LESSON_CASE("a block of rows, one less, one more") {
  grade(oracle::expert_offsets({7, 8, 9, 1, 16, 17}), 2, 3);
}

LESSON_CASE("a warp of columns, one less, one more") {
  for (const int H : {31, 32, 33, 70}) grade(oracle::expert_offsets({2, 0, 3}), 4, H);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D, H] : unequal_triples(random, 4, 4000)) {
    grade(random_offsets(random, P, random.integer(2, 12)), D, H);
  }
}

LESSON_CASE("experts that begin at the last row of a tile, the one before, the two after") {
  for (const std::vector<int>& offsets : offsets_at_tile_ends()) {
    grade(offsets, 1, 2, {}, {}, true);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 8, 1024), 2, 3, {}, {}, true);
}

LESSON_CASE("no rows") {
  grade({0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int D : {1, 8, 32}) grade(oracle::expert_offsets({3, 2}), D, 5);
  grade(oracle::expert_offsets({1, 2}), 700, 2);
  Random random = case_random();
  grade({0, 17}, 1, 2, random.extremes(17), random.values(2));  // denormals are kept
}

LESSON_CASE("one expert with more rows than its blocks have threads for") {
  grade(oracle::expert_offsets({3, 1100}), 1, 2);
}

LESSON_CASE("more than half a million rows") {
  // The last expert has 1,024 times the 512 rows that 64 blocks of 8 take, so that its last block
  // has the last row. Most of the blocks that are sampled belong to experts without rows.
  const int E = 64, P = 5 + 1024 * 512;
  Trial trial{{"P", P}, {"E", E}, {"D", 1}, {"H", 1}};
  const auto Xs = trial.input("Xs", {{"row", P}, {"d", 1}});
  const auto W1 = trial.input("W1", {{"e", E}, {"d", 1}, {"h", 1}});
  Offsets starts(E + 1, 5);
  starts.front() = 0;
  starts.back() = P;
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  const auto Z = trial.output("Z", {{"row", P}, {"h", 1}});
  trial.expect(Z, [=](int row, int) { return rounded(Xs[row] * W1[row < 5 ? 0 : E - 1]); });
  trial.mistake_if("rows-on-y", [](const Diagnostic& d) { return d.is("launch_error"); });
  trial.sample_blocks(10'000);
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_up(Xs, W1, offsets, Z, P, E, 1, 1, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 2}, 2, wide_row, {}, {}, true);
  grade({0, 1, 3}, wide_row, 2, {}, {}, true);
}

BENCH_CASE("P = 64, E = 8, D = 32, H = 64, an expert without rows") {
  grade(oracle::expert_offsets({8, 16, 0, 8, 8, 4, 12, 8}), 32, 64);
}
