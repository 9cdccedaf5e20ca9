// 025 gather_tokens_backward: dX[t] = sum_j dXs[slot_of_pair[t*K+j]]
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;
using Slots = std::vector<int>;

void know_mistakes(Trial& trial, const Array<float>& dX, const Array<float>& dXs,
                   const Array<int>& slot_of_pair, int T, int K) {
  // The sum over a token's choices, with some other way to the row of a choice.
  const auto sum_of = [=](auto row) {
    return [=](int t, int d) {
      Sum sum;
      for (int j = 0; j < K; ++j) sum += dXs(row(t, j), d);
      return sum;
    };
  };
  if (K > 1) {
    trial.mistake("last-choice", dX,
                  [=](int t, int d) { return dXs(slot_of_pair(t * K + K - 1), d); });
  }
  trial.mistake("map-ignored", dX, sum_of([=](int t, int j) { return t * K + j; }));
  trial.mistake("choice-by-choice", dX,
                sum_of([=](int t, int j) { return slot_of_pair(j * T + t); }));
  const auto on_output = [](const Diagnostic& d) {
    return d.message.find("dX[") != std::string::npos;
  };
  trial.mistake_if("unowned-sum",
                   [=](const Diagnostic& d) { return d.is("race") && on_output(d); });
  trial.mistake_if("adds-to-old",
                   [=](const Diagnostic& d) { return d.is("uninitialized_read") && on_output(d); });
}

void grade(int T, int D, int K, Slots slots, Values gradients = {}, bool once = false) {
  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const auto dXs = trial.input("dXs", {{"s", T * K}, {"d", D}}, std::move(gradients));
  const auto slot_of_pair = trial.input("slot_of_pair", {{"p", T * K}}, std::move(slots));
  const auto dX = trial.output("dX", {{"t", T}, {"d", D}});
  trial.expect(dX, oracle::gather_tokens_backward(dXs.values(), slot_of_pair.values(), T, D, K));
  know_mistakes(trial, dX, dXs, slot_of_pair, T, K);
  if (once) trial.judge_if_quick();
  trial.call(
      [&](cudaStream_t stream) { gather_tokens_backward(dXs, slot_of_pair, dX, T, D, K, stream); });
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

double dot(const oracle::Input& a, const oracle::Input& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

LESSON_CASE("the micro-batch: 3 tokens, 2 experts each") {
  grade(3, 2, 2, micro_batch::ints("slot_of_pair"), micro_batch::floats("dXs"));
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

LESSON_CASE("the adjoint identity: <gather(X), V> = <X, dX>, in whole numbers") {
  Random random = case_random();
  const int T = 13, D = 6, K = 4;
  const Slots slot_of_pair = any_order(random, T * K);
  const Values V = random.whole_numbers(T * K * D, -9, 9);
  const Values X = random.whole_numbers(T * D, -9, 9);
  const auto Xs = oracle::gather_tokens(X, oracle::inverse_permutation(slot_of_pair), T, D, K);
  const auto dX = oracle::gather_tokens_backward(V, slot_of_pair, T, D, K);
  // Whole numbers this small leave nothing to round, in any order of the sum.
  CHECK(dot(Xs, V) == dot(X, dX));

  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const auto gradients = trial.input("dXs", {{"s", T * K}, {"d", D}}, V);
  const auto slots = trial.input("slot_of_pair", {{"p", T * K}}, slot_of_pair);
  const auto result = trial.output("dX", {{"t", T}, {"d", D}});
  trial.expect(result, [&](int t, int d) { return dX.value[static_cast<std::size_t>(t * D + d)]; });
  know_mistakes(trial, result, gradients, slots, T, K);
  trial.call([&](cudaStream_t stream) {
    gather_tokens_backward(gradients, slots, result, T, D, K, stream);
  });
}

LESSON_CASE("no tokens") {
  grade(0, 5, 2, {});
}

LESSON_CASE("terms of every size, and terms that cancel") {
  Random random = case_random();
  grade(17, 5, 3, any_order(random, 51), random.extremes(255, 1e37f));
  grade(9, 4, 2, any_order(random, 18), random.uniforms(72, 0x1p-140f, 0x1p-130f));
  // Expert by expert: the second copy of a token takes most of the first one away.
  const int T = 21, D = 7;
  Slots slots;
  Values gradients(2 * T * D);
  const Slots order = random.permutation(T);
  for (int t = 0; t < T; ++t) {
    const int first = order[static_cast<std::size_t>(t)];
    slots.push_back(first);
    slots.push_back(2 * T - 1 - first);
    for (int d = 0; d < D; ++d) {
      const float value = random.uniform(1000, 2000);
      gradients[static_cast<std::size_t>(slots[2 * t] * D + d)] = value;
      gradients[static_cast<std::size_t>(slots[2 * t + 1] * D + d)] = random.value() - value;
    }
  }
  grade(T, D, 2, slots, gradients);
}

LESSON_CASE("tokens past 65,536, each of its own") {
  Random random = case_random();
  grade(66'000, 1, 1, any_order(random, 66'000), {}, true);
}

LESSON_CASE("more than half a million tokens") {
  const int T = 530'000, K = 1;
  Random random = case_random();
  Trial trial{{"T", T}, {"D", 1}, {"K", K}};
  // All gradients are 0, so that a scatter of which only some blocks run is right as well, as long
  // as it begins with zeros.
  const auto dXs = trial.input("dXs", {{"s", T * K}, {"d", 1}}, Values(T * K, 0.0f));
  // 479,001 and T*K have no common factor, so each slot comes up once.
  Slots slots(T * K);
  long slot = random.integer(0, T * K - 1);
  for (int& next : slots) {
    next = static_cast<int>(slot);
    slot = (slot + 479'001) % (T * K);
  }
  const auto slot_of_pair = trial.input("slot_of_pair", {{"p", T * K}}, std::move(slots));
  const auto dX = trial.output("dX", {{"t", T}, {"d", 1}});
  trial.expect(dX, [](int, int) { return 0; });
  trial.sample_blocks(5'000'000);
  trial.limit_runs(1);
  trial.call(
      [&](cudaStream_t stream) { gather_tokens_backward(dXs, slot_of_pair, dX, T, 1, K, stream); });
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  Random random = case_random();
  grade(2, wide_row, 2, any_order(random, 4), {}, true);
}

BENCH_CASE("T = 512, D = 96, K = 4") {
  Random random = case_random();
  grade(random, 512, 96, 4);
}
