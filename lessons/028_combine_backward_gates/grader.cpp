// 028 combine_backward_gates: dgates[t,j] = <dOut[t], Ys[slot(t,j)]>
#include "testing/grader.h"

#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

constexpr int kWarp = 32;

struct Inputs {
  Ints slot_of_pair;
  Values dOut, Ys;
};

void know_mistakes(Trial& trial, const Array<float>& dgates, const Array<float>& dOut,
                   const Array<float>& Ys, const Array<int>& slot_of_pair) {
  const int D = dOut.state().axes[1].extent, K = dgates.state().axes[1].extent;
  const auto dot = [=](int t, int s, int first, int step) {
    Sum sum;
    for (int d = first; d < D; d += step) sum += dOut(t, d) * Ys(s, d);
    return sum;
  };
  trial.mistake("one-sum-for-all", dgates, [=](int t, int j) {
    Sum sum;  // never set back to 0 between the choices
    for (int i = 0; i <= j; ++i) {
      for (int d = 0; d < D; ++d) sum += dOut(t, d) * Ys(slot_of_pair[t * K + i], d);
    }
    return sum;
  });
  trial.mistake("pair-as-slot", dgates, [=](int t, int j) { return dot(t, t * K + j, 0, 1); });
  trial.mistake("not-added-up", dgates,
                [=](int t, int j) { return dot(t, slot_of_pair[t * K + j], 0, kWarp); });
  trial.mistake_if("shuffle-by-some", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::lanes_returned);
  });
}

enum class Blocks { all, sample, all_once, counted };

void grade(int T, int D, int K, const Inputs& in = {}, Blocks blocks = Blocks::all) {
  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const int P = T * K;
  const auto dOut = trial.input("dOut", {{"t", T}, {"d", D}}, in.dOut);
  const auto Ys = trial.input("Ys", {{"s", P}, {"d", D}}, in.Ys);
  const auto slot_of_pair =
      trial.input("slot_of_pair", {{"p", P}},
                  in.slot_of_pair.empty() ? trial.random().permutation(P) : in.slot_of_pair);
  const auto dgates = trial.output("dgates", {{"t", T}, {"j", K}});
  trial.expect(dgates, oracle::combine_backward_gates(dOut.values(), Ys.values(),
                                                      slot_of_pair.values(), T, D, K));
  know_mistakes(trial, dgates, dOut, Ys, slot_of_pair);
  const auto call = [&](cudaStream_t stream) {
    combine_backward_gates(dOut, Ys, slot_of_pair, dgates, T, D, K, stream);
  };
  if (blocks != Blocks::all) trial.limit_runs(1);
  if (blocks == Blocks::sample) {
    trial.sample_blocks();
    if (trial.evaluate(call).passed) return;
    // Several launches, one of which clears, do not fit a sample each: judge the whole grids.
    grade(T, D, K, in, Blocks::all_once);
    return;
  }
  trial.call(call);
  if (blocks != Blocks::counted) return;
  // Each row of dOut and Ys once; and the slot of each pair, by all lanes of a warp.
  const Counts counts = trial.count(call);
  if (counts.available) {
    note_goal("bytes that the lanes load", counts["load_bytes"], 4 * ((T + P) * D + kWarp * P));
  }
}

double dot(const std::vector<double>& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, two gates each") {
  grade(
      3, 2, 2,
      {micro_batch::ints("slot_of_pair"), micro_batch::floats("dOut"), micro_batch::floats("Ys")});
}

LESSON_CASE("one token, one column, one choice") {
  grade(1, 1, 1);
  grade(1, 40, 3);
  grade(7, 1, 5);
  grade(5, 50, 1);
}

LESSON_CASE("1 to 16 choices") {
  for (const int K : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16}) grade(6, 45, K);
}

LESSON_CASE("rows as wide as a warp or a block, one less, one more") {
  for (const int D : {31, 32, 33, 63, 65, 255, 256, 257, 521}) grade(2, D, 3);
}

LESSON_CASE("a block of tokens, one less, one more") {
  for (const int T : {7, 8, 9, 31, 33, 257}) grade(T, 3, 2);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [T, D, K] : unequal_triples(random, 6, 6000, {any_size, any_size, most_chosen}))
    grade(T, D, K);
}

LESSON_CASE("no tokens") {
  grade(0, 5, 2);
}

LESSON_CASE("full binary32 accuracy, sums that cancel") {
  Random random = case_random();
  for (const int D : {1, 2, 8, 32}) grade(9, D, 2);
  Values dOut = random.values(8 * 64), Ys = random.values(16 * 64);
  for (std::size_t i = 1; i < dOut.size(); i += 2) dOut[i] = -dOut[i - 1];
  for (std::size_t i = 1; i < Ys.size(); i += 2) Ys[i] = Ys[i - 1] * 1.0001f;
  grade(8, 64, 2, {{}, dOut, Ys});
  grade(8, 64, 2, {{}, random.extremes(8 * 64), random.extremes(16 * 64)});
  grade(40, 1, 1, {{}, Values(40, 1.0f), random.extremes(40)});  // denormals are kept
}

LESSON_CASE("more than 65,535 tokens") {
  grade(66'000, 1, 1, {}, Blocks::sample);
}

LESSON_CASE("the exact gradient agrees with 026") {
  // The output is linear in the gates, so <dOut, combine(gates)> = <dgates, gates> for all gates.
  Random random = case_random();
  const int T = 4, D = 3, K = 2;
  const Ints slots = random.permutation(T * K);
  const Values dOut = random.values(12), gates = random.values(8), Ys = random.values(24);
  const auto out = oracle::combine_tokens(Ys, slots, gates, T, D, K);
  const auto dgates = oracle::combine_backward_gates(dOut, Ys, slots, T, D, K);
  if (!(std::fabs(dot(out.value, dOut) - dot(dgates.value, gates)) < 1e-12)) {
    fail_case("the grader's gradient does not fit its forward pass");
  }
}

LESSON_CASE("24 tokens, whose loads are counted") {
  grade(24, 100, 4, {}, Blocks::counted);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 2, {}, Blocks::all_once);
}

BENCH_CASE("T = 96, D = 100, K = 4") {
  grade(96, 100, 4);
}
