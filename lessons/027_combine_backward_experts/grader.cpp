// 027 combine_backward_experts: dYs[s] = gates[p] dOut[p / K], p = pair_of_slot[s]
#include "testing/grader.h"

#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

struct Inputs {
  Ints pair_of_slot;
  Values dOut, gates;
};

void know_mistakes(Trial& trial, const Array<float>& dYs, const Array<float>& dOut,
                   const Array<float>& gates, const Array<int>& pair_of_slot) {
  const int K = gates.state().axes[1].extent, T = gates.state().axes[0].extent;
  trial.mistake("gate-of-the-slot", dYs,
                [=](int s, int d) { return rounded(gates[s] * dOut(pair_of_slot[s] / K, d)); });
  if (K <= T) {  // else its rows do not exist
    trial.mistake("remainder-for-quotient", dYs, [=](int s, int d) {
      return rounded(gates[pair_of_slot[s]] * dOut(pair_of_slot[s] % K, d));
    });
  }
  trial.mistake("gate-left-out", dYs, [=](int s, int d) { return dOut(pair_of_slot[s] / K, d); });
  trial.mistake("slot-as-pair", dYs,
                [=](int s, int d) { return rounded(gates[s] * dOut(s / K, d)); });
  trial.mistake_if("adds-to-output", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("dYs[") != std::string::npos;
  });
}

void grade(int T, int D, int K, Inputs in = {}, bool once = false) {
  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const int P = T * K;
  if (in.pair_of_slot.empty()) in.pair_of_slot = trial.random().permutation(P);
  const auto dOut = trial.input("dOut", {{"t", T}, {"d", D}}, std::move(in.dOut));
  const auto gates = trial.input("gates", {{"t", T}, {"j", K}}, std::move(in.gates));
  const auto pair_of_slot = trial.input("pair_of_slot", {{"s", P}}, std::move(in.pair_of_slot));
  const auto dYs = trial.output("dYs", {{"s", P}, {"d", D}});
  trial.expect(dYs, oracle::combine_backward_experts(dOut.values(), gates.values(),
                                                     pair_of_slot.values(), T, D, K));
  know_mistakes(trial, dYs, dOut, gates, pair_of_slot);
  if (once) trial.judge_if_quick();
  trial.call([&](cudaStream_t stream) {
    combine_backward_experts(dOut, gates, pair_of_slot, dYs, T, D, K, stream);
  });
}

double dot(const std::vector<double>& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens send their gradient to 6 slots") {
  grade(3, 2, 2,
        {micro_batch::ints("pair_of_slot"), micro_batch::floats("dOut"),
         micro_batch::floats("gates")});
}

LESSON_CASE("all gates are 1: which row is it?") {
  grade(5, 3, 2, {{}, {}, Values(10, 1.0f)});
}

LESSON_CASE("all tokens have the same gradient: which gate is it?") {
  Random random = case_random();
  Values dOut;
  const Values row = random.values(3);
  for (int t = 0; t < 5; ++t) dOut.insert(dOut.end(), row.begin(), row.end());
  grade(5, 3, 2, {{}, dOut, {}});
}

LESSON_CASE("one choice a token") {
  grade(9, 4, 1);
}

LESSON_CASE("one token, one column") {
  grade(1, 1, 1);
  grade(1, 5, 4);
  grade(6, 1, 3);
}

LESSON_CASE("1 to 16 choices") {
  for (const int K : {2, 3, 8, 15, 16}) grade(19, 5, K);
}

LESSON_CASE("rows as wide as a warp or a block, one less, one more") {
  for (const int D : {31, 32, 33, 129, 255, 256, 257, 521}) grade(3, D, 2);
}

LESSON_CASE("narrow rows: many slots in a block") {
  for (const int D : {1, 2, 3, 8}) grade(129, D, 2);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [T, D, K] : unequal_triples(random, 6, 6000, {any_size, any_size, most_chosen}))
    grade(T, D, K);
}

LESSON_CASE("no tokens") {
  grade(0, 5, 2);
}

LESSON_CASE("gates of 0 and values of every size") {
  Random random = case_random();
  grade(16, 5, 2, {{}, random.extremes(80, 1e18f), random.extremes(32, 1e18f)});
  Inputs in{{}, random.extremes(80, 1e38f), Values(32, 1.0f)};  // denormals are kept
  for (std::size_t p = 0; p < 32; p += 3) in.gates[p] = 0;
  grade(16, 5, 2, in);
}

LESSON_CASE("more than 65,535 tokens") {
  grade(66'000, 1, 1, {}, true);
}

LESSON_CASE("the exact gradient agrees with 026") {
  // <dOut, combine(Ys)> = <dYs, Ys> for all Ys: one is the transpose of the other.
  Random random = case_random();
  const int T = 4, D = 3, K = 2;
  const Ints slots = random.permutation(T * K);
  const Values dOut = random.values(12), gates = random.values(8), Ys = random.values(24);
  const auto out = oracle::combine_tokens(Ys, slots, gates, T, D, K);
  const auto dYs =
      oracle::combine_backward_experts(dOut, gates, oracle::inverse_permutation(slots), T, D, K);
  if (!(std::fabs(dot(out.value, dOut) - dot(dYs.value, Ys)) < 1e-12)) {
    fail_case("the grader's gradient does not fit its forward pass");
  }
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 2, {}, true);
}

BENCH_CASE("T = 512, D = 96, K = 4") {
  grade(512, 96, 4);
}
