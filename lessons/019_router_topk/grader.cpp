// 019 router_topk: the top-K of each token's probabilities, and these K renormalised
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

using namespace testing;

namespace {

using Values = std::vector<float>;

// Rows that sum to 1 but for rounding, with a gap between any two probabilities of a row.
Values distinct(Random& random, int T, int E) {
  Values probs;
  for (int t = 0; t < T; ++t) {
    Values row;
    double sum = 0;
    for (const int rank : random.permutation(E)) {
      row.push_back(static_cast<float>(rank) + random.uniform(0.25f, 0.75f));
      sum += row.back();
    }
    for (const float value : row) probs.push_back(static_cast<float>(value / sum));
  }
  return probs;
}

// Softmax in single precision of logits this far apart: the smaller the deviation, the more even.
Values softmax(Random& random, int T, int E, float deviation) {
  Values probs;
  for (int t = 0; t < T; ++t) {
    const Values logits = random.normals(static_cast<std::size_t>(E), 0, deviation);
    const float largest = *std::max_element(logits.begin(), logits.end());
    float sum = 0;
    for (const float x : logits) sum += std::exp(x - largest);
    for (const float x : logits) probs.push_back(std::exp(x - largest) / sum);
  }
  return probs;
}

// Every probability one of these few, and the first of them at least once in every row: ties
// everywhere.
Values picked_from(Random& random, int T, int E, const Values& few) {
  Values probs;
  for (int t = 0; t < T; ++t) {
    const int sure = random.integer(0, E - 1);
    for (int e = 0; e < E; ++e) {
      const int which = random.integer(0, static_cast<int>(few.size()) - 1);
      probs.push_back(few[e == sure ? 0 : static_cast<std::size_t>(which)]);
    }
  }
  return probs;
}

void know_mistakes(Trial& trial, const Array<float>& probs, const Array<int>& experts,
                   const Array<float>& gates, const oracle::RouterChoice& choice, int E, int K) {
  const auto chosen = [=](int t, int j) {
    return probs(t, choice.experts[std::size_t(t * K + j)]);
  };
  const auto near = [](double value) { return within_ulps(value, 40.0); };
  trial.mistake("not-renormalised", gates, [=](int t, int j) -> Expected { return chosen(t, j); });
  trial.mistake("renormalised-over-all", gates, [=](int t, int j) {
    double sum = 0;
    for (int e = 0; e < E; ++e) sum += probs(t, e);
    return near(chosen(t, j) / sum);
  });
  trial.mistake("zeros-left-out", experts, [=](int t, int j) -> Expected {
    return chosen(t, j) > 0 ? choice.experts[static_cast<std::size_t>(t * K + j)] : -1;
  });
  trial.mistake_if("read-back-unordered", [](const Diagnostic& d) {
    return d.is_race_in_shared_memory() ||
           (d.is("race") && d.message.find("gates") != std::string::npos);
  });
  trial.mistake("running-sum", gates, [=](int t, int j) {
    double sum = 0;
    for (int i = 0; i <= j; ++i) sum += chosen(t, i);
    return near(chosen(t, j) / sum);
  });
}

void grade(int T, int E, int K, Values given = {}) {
  Trial trial{{"T", T}, {"E", E}, {"K", K}};
  if (given.empty()) given = distinct(trial.random(), T, E);
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, std::move(given));
  const auto experts = trial.output<int>("experts", {{"t", T}, {"j", K}});
  const auto gates = trial.output("gates", {{"t", T}, {"j", K}});
  oracle::RouterChoice choice = oracle::router_topk(probs.values(), T, E, K);
  trial.expect(experts, choice.experts);
  trial.expect(gates, choice.gates);
  know_mistakes(trial, probs, experts, gates, choice, E, K);
  trial.call([&](cudaStream_t stream) { router_topk(probs, experts, gates, T, E, K, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 3 tokens, 4 experts, 2 a token") {
  grade(3, 4, 2, micro_batch::floats("probs"));
}

LESSON_CASE("one token, one expert, one choice") {
  grade(1, 1, 1);
  grade(37, 1, 1);
  grade(1, 45, 1);
  grade(2, 2, 2);
  grade(3, 5, 1);
}

LESSON_CASE("a warp of experts, one less, one more") {
  for (const int E : {15, 31, 32, 33, 70}) grade(5, E, 3);
}

LESSON_CASE("a block of tokens, one less, one more") {
  for (const int T : {7, 8, 9}) grade(T, 6, 2);
  grade(65, 3, 2);
}

LESSON_CASE("K up to 16, and K = E: all of them") {
  grade(3, 16, 16);
  grade(4, 9, 9);
  grade(2, 50, 16);
}

LESSON_CASE("1,024 experts") {
  Random random = case_random();
  const int T = 12, E = 1024;
  Values probs = distinct(random, T, E);
  // The best four of every other row lie 256 apart: one thread's, in many a layout.
  for (int t = 0; t < T; t += 2) {
    const auto row = probs.begin() + t * E;
    const float largest = *std::max_element(row, row + E);
    float factor = 1.25f;
    for (const int e : {5, 261, 517, 773}) {
      row[e] = largest * factor;
      factor += 0.25f;
    }
    const double sum = std::accumulate(row, row + E, 0.0);
    std::transform(row, row + E, row, [&](float p) { return static_cast<float>(p / sum); });
  }
  grade(T, E, 16, std::move(probs));
  grade(1, 1023, 2);
}

LESSON_CASE("tokens past 65,536, each of its own") {
  const int T = 66'000, E = 3, K = 2;
  Trial trial{{"T", T}, {"E", E}, {"K", K}};
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, distinct(trial.random(), T, E));
  const auto experts = trial.output<int>("experts", {{"t", T}, {"j", K}});
  const auto gates = trial.output("gates", {{"t", T}, {"j", K}});
  const oracle::RouterChoice choice = oracle::router_topk(probs.values(), T, E, K);
  trial.expect(experts, choice.experts);
  trial.expect(gates, choice.gates);
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { router_topk(probs, experts, gates, T, E, K, stream); });
}

LESSON_CASE("probabilities of a softmax, even and steep") {
  Random random = case_random();
  grade(6, 20, 4, softmax(random, 6, 20, 0.1f));
  grade(6, 20, 4, softmax(random, 6, 20, 3));
  grade(5, 40, 6, softmax(random, 5, 40, 25));  // down to denormals and 0
}

LESSON_CASE("equal probabilities: the lower expert first") {
  Random random = case_random();
  grade(4, 8, 3, Values(32, 0.125f));
  grade(2, 64, 16, Values(128, 0x1p-6f));
  grade(6, 40, 7, picked_from(random, 6, 40, {0.0625f, 0.03125f, 0.0078125f}));
}

LESSON_CASE("a saturated softmax: ties at 0, and gates of 0") {
  Random random = case_random();
  grade(3, 6, 3, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 0, 0.5f, 0});
  grade(6, 37, 9, picked_from(random, 6, 37, {0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  grade(4, 35, 16, picked_from(random, 4, 35, {1.0f, 0, -0.0f, 0, -0.0f, 0x1p-149f}));
}

LESSON_CASE("neighbouring floats are no tie") {
  Random random = case_random();
  Values close;
  for (int t = 0; t < 4; ++t) {
    for (const int rank : random.permutation(36)) {
      close.push_back(0x1p-5f + static_cast<float>(rank) * 0x1p-28f);
    }
  }
  grade(4, 36, 8, std::move(close));
}

LESSON_CASE("no tokens") {
  grade(0, 4, 2);
}

LESSON_CASE("more than half a million tokens") {
  const int T = 530'000, E = 1, K = 1;
  Trial trial{{"T", T}, {"E", E}, {"K", K}};
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, Values(T, 1.0f));
  const auto experts = trial.output<int>("experts", {{"t", T}, {"j", K}});
  // Of a kernel in two launches, the second may run blocks that the first left out of the sample:
  // what it finds there must be harmless: 3 / 3 is a gate of 1.
  const auto gates = trial.in_place("gates", {{"t", T}, {"j", K}}, Values(T, 3.0f));
  trial.expect(experts, [](int, int) { return 0; });
  trial.expect(gates, [](int, int) { return within_ulps(1, 2); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { router_topk(probs, experts, gates, T, E, K, stream); });
}

BENCH_CASE("T = 256, E = 96, K = 4") {
  grade(256, 96, 4);
}
