// 032 expert_down: Ys[rows of e] = A[rows of e] W2[e]
#include "testing/grader.h"

#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

constexpr int kTile = 16;

bool in_shared_memory(const Diagnostic& d) {
  return d.message.find("in shared memory") != std::string::npos;
}

void know_mistakes(Trial& trial, const Array<float>& Ys, const Array<float>& A,
                   const Array<float>& W2, const Offsets& starts, int H) {
  // a[x][y] filled where a[y][x] is due: place (y, k) holds row k, column y of the tile.
  trial.mistake("transposed-tile", Ys, [=](int row, int col) {
    const int e = owner_of_row(starts, row), begin = starts[static_cast<std::size_t>(e)];
    const int end = starts[static_cast<std::size_t>(e) + 1];
    const int y = (row - begin) % kTile, first = row - y;
    Sum dot;
    for (int h = 0; h < H; ++h) {
      const int swapped_row = first + h % kTile, swapped_col = h / kTile * kTile + y;
      if (swapped_row < end && swapped_col < H) dot += A(swapped_row, swapped_col) * W2(e, h, col);
    }
    return dot;
  });
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is_race_in_shared_memory(); });
  trial.mistake_if("early-return", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::block_returned);
  });
  trial.mistake_if("edge-not-zeroed", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && in_shared_memory(d);
  });
  trial.mistake_if("next-experts-rows", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("Ys[") != std::string::npos;
  });
}

void grade(Offsets starts, int H, int D, Values a = {}, Values weights = {}, bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"H", H}, {"D", D}};
  const auto A = trial.input("A", {{"row", P}, {"h", H}}, std::move(a));
  const auto W2 = trial.input("W2", {{"e", E}, {"h", H}, {"d", D}}, std::move(weights));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  const auto Ys = trial.output("Ys", {{"row", P}, {"d", D}});
  trial.expect(Ys, oracle::expert_down(A.values(), W2.values(), starts, P, E, H, D));
  know_mistakes(trial, Ys, A, W2, starts, H);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_down(A, W2, offsets, Ys, P, E, H, D, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle") {
  grade(micro_batch::ints("offsets"), 3, 2, micro_batch::floats("A"), micro_batch::floats("W2"));
}

LESSON_CASE("one row, one expert, one column") {
  grade({0, 1}, 1, 1);
  grade({0, 1}, 17, 2);
  grade({0, 0, 1, 1}, 2, 1);
  grade({0, 18}, 1, 3);
}

LESSON_CASE("inner size: a tile, one less, one more; two and a half") {
  for (const int H : {15, 16, 17, 40}) grade(oracle::expert_offsets({3, 0, 2}), H, 5);
}

LESSON_CASE("columns: a tile, one less, one more") {
  for (const int D : {15, 16, 17, 33}) grade(oracle::expert_offsets({4, 1}), 6, D);
}

LESSON_CASE("rows of an expert: a tile, one less, one more") {
  grade(oracle::expert_offsets({15, 16, 17, 1}), 7, 3);
}

LESSON_CASE("empty experts at the front, in the middle, at the end") {
  grade(oracle::expert_offsets({0, 0, 5, 2}), 3, 4);
  grade(oracle::expert_offsets({4, 0, 0, 3, 0, 0}), 19, 2);
}

LESSON_CASE("one expert takes all rows") {
  grade(oracle::expert_offsets({0, 37, 0}), 3, 5);
  grade(oracle::expert_offsets({37, 0}), 5, 2);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, H, D] : unequal_triples(random, 3, 3000)) {
    grade(random_offsets(random, P, random.integer(2, 6)), H, D, {}, {}, true);
  }
}

LESSON_CASE("experts that begin at the last row of a tile, the one before, the two after") {
  for (const std::vector<int>& offsets : offsets_at_tile_ends()) {
    grade(offsets, 1, 2, {}, {}, true);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(random_offsets(random, 8, 1024), 3, 2, {}, {}, true);
}

LESSON_CASE("no rows") {
  grade({0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int H : {1, 8, 32}) grade(oracle::expert_offsets({3, 2}), H, 5);
  grade(oracle::expert_offsets({1, 2}), 300, 2, {}, {}, true);
  Random random = case_random();
  grade({0, 17}, 1, 2, random.extremes(17), random.values(2));  // denormals are kept
}

LESSON_CASE("one expert with more rows than its blocks have threads for") {
  grade(oracle::expert_offsets({3, 1100}), 1, 2, {}, {}, true);
}

LESSON_CASE("more than a million rows") {
  // The last expert has 1,025 times the 1,024 rows that 64 tiles of 16 take, so that its last block
  // has the last row. Most of the blocks that are sampled belong to experts without rows.
  const int E = 64, P = 5 + 1025 * 1024;
  Trial trial{{"P", P}, {"E", E}, {"H", 1}, {"D", 1}};
  const auto A = trial.input("A", {{"row", P}, {"h", 1}});
  const auto W2 = trial.input("W2", {{"e", E}, {"h", 1}, {"d", 1}});
  Offsets starts(E + 1, 5);
  starts.front() = 0;
  starts.back() = P;
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  const auto Ys = trial.output("Ys", {{"row", P}, {"d", 1}});
  trial.expect(Ys, [=](int row, int) { return rounded(A[row] * W2[row < 5 ? 0 : E - 1]); });
  trial.sample_blocks(10'000);
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_down(A, W2, offsets, Ys, P, E, 1, 1, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade({0, 2}, 2, wide_row, {}, {}, true);
  grade({0, 1, 3}, wide_row, 2, {}, {}, true);
}

BENCH_CASE("P = 64, E = 4, H = 64, D = 32, 16 rows for each expert") {
  grade(oracle::expert_offsets({16, 16, 16, 16}), 64, 32);
}
