// 024 gather_tokens: Xs[s] = X[pair_of_slot[s] / K]
#include "testing/grader.h"

#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Slots = std::vector<int>;

void know_mistakes(Trial& trial, const Array<float>& Xs, const Array<float>& X,
                   const Array<int>& pair_of_slot, int T, int K) {
  const Slots inverse = oracle::inverse_permutation(pair_of_slot.values());
  trial.mistake("wrong-map", Xs,
                [=](int s, int d) { return X(inverse[static_cast<std::size_t>(s)] / K, d); });
  if (K <= T) {
    trial.mistake("choice-as-token", Xs, [=](int s, int d) { return X(pair_of_slot(s) % K, d); });
  }
  trial.mistake("map-ignored", Xs, [=](int s, int d) { return X(s / K, d); });
  trial.mistake("no-walk", Xs, [=](int s, int d) -> Expected {
    return d < 32 ? Expected(X(pair_of_slot(s) / K, d)) : Expected::unwritten();
  });
  trial.mistake_if("pair-as-token", [=](const Diagnostic& d) {
    // A slot's pair is taken for the row of X: past its end from pair T on. A walk that goes on
    // past the row's end reads row T, whatever the pair.
    const long slot = static_cast<long>(d.block[0]) * 8 + d.thread[1];
    if (K == 1 || !d.is("out_of_bounds") || slot >= T * K) return false;
    const int pair = pair_of_slot(slot);
    const std::string row = "reads X[t=" + std::to_string(pair) + ",";
    return pair >= T && d.message.find(row) != std::string::npos;
  });
}

void grade(int T, int D, int K, Slots slots, Values x = {}, bool once = false) {
  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, std::move(x));
  const auto pair_of_slot = trial.input("pair_of_slot", {{"s", T * K}}, std::move(slots));
  const auto Xs = trial.output("Xs", {{"s", T * K}, {"d", D}});
  trial.expect(Xs, oracle::gather_tokens(X.values(), pair_of_slot.values(), T, D, K));
  know_mistakes(trial, Xs, X, pair_of_slot, T, K);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { gather_tokens(X, pair_of_slot, Xs, T, D, K, stream); });
}

// Any order of the pairs. One that differs from its inverse, if there is room for it: whoever takes
// one for the other must see it.
Slots any_order(Random& random, int pairs) {
  Slots slots = random.permutation(pairs);
  while (pairs > 2 && slots == oracle::inverse_permutation(slots)) {
    slots = random.permutation(pairs);
  }
  return slots;
}

void grade(Random& random, int T, int D, int K) {
  grade(T, D, K, any_order(random, T * K));
}

}  // namespace

LESSON_CASE("the micro-batch: 3 tokens, 2 experts each") {
  grade(3, 2, 2, micro_batch::ints("pair_of_slot"), micro_batch::floats("X"));
}

LESSON_CASE("one token, one column, one expert a token") {
  Random random = case_random();
  grade(random, 1, 1, 1);
  grade(random, 1, 1, 2);
  grade(random, 1, 37, 1);
  grade(random, 1, 3, 5);
  grade(random, 2, 1, 1);
  grade(random, 41, 1, 1);
  grade(random, 19, 3, 1);
}

LESSON_CASE("rows as wide as a warp, one less, one more") {
  Random random = case_random();
  for (const int D : {31, 32, 33, 71, 257}) grade(random, 5, D, 3);
}

LESSON_CASE("1 to 16 experts a token") {
  Random random = case_random();
  for (const int K : {2, 3, 4, 7, 8, 9, 16}) grade(random, 11, 5, K);
}

LESSON_CASE("sizes that differ") {
  Random random = case_random();
  for (const auto [T, D, K] : unequal_triples(random, 6, 3000, {any_size, any_size, most_chosen})) {
    grade(random, T, D, K);
  }
  grade(random, 67, 13, 2);
  grade(random, 2, 29, 13);
}

LESSON_CASE("slots expert by expert, as lesson 023 assigns them") {
  Random random = case_random();
  for (const int E : {4, 9}) {
    // Expert 1 gets no token, expert 2 one from every token.
    Slots experts;
    for (int t = 0; t < 23; ++t) {
      const int other = random.integer(3, E - 1);
      const bool first = random.coin();
      experts.push_back(first ? other : 2);
      experts.push_back(first ? 2 : other);
    }
    const Slots offsets = oracle::expert_offsets(oracle::count_tokens(experts, E));
    grade(23, 6, 2, oracle::assign_slots(experts, offsets).pair_of_slot);
  }
}

LESSON_CASE("no tokens") {
  grade(0, 5, 2, {});
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(17, 5, 3, any_order(random, 51), random.extremes(85, 3e38f));
}

LESSON_CASE("more than a million slots") {
  Random random = case_random();
  const int T = 275'000, K = 4;
  Trial trial{{"T", T}, {"D", 1}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", 1}});
  // 479,001 and 1,100,000 have no common factor, so each pair comes up once.
  const int first = random.integer(0, T * K - 1);
  Slots slots(static_cast<std::size_t>(T) * K);
  long pair = first;
  for (int& slot : slots) {
    slot = static_cast<int>(pair);
    pair = (pair + 479'001) % (T * K);
  }
  const auto pair_of_slot = trial.input("pair_of_slot", {{"s", T * K}}, std::move(slots));
  const auto Xs = trial.output("Xs", {{"s", T * K}, {"d", 1}});
  trial.expect(Xs, [=](int s, int) { return X[pair_of_slot[s] / K]; });
  trial.mistake_if("slots-on-y", [](const Diagnostic& d) { return d.is("launch_error"); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { gather_tokens(X, pair_of_slot, Xs, T, 1, K, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  Random random = case_random();
  grade(2, wide_row, 2, any_order(random, 4), {}, true);
}

BENCH_CASE("T = 512, D = 96, K = 4") {
  Random random = case_random();
  grade(random, 512, 96, 4);
}
