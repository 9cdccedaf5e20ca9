// 017 router_logits: logits = X Wg
#include "testing/grader.h"

#include <algorithm>

using namespace testing;

namespace {

using Values = std::vector<float>;

void grade(int T, int D, int E, Values x = {}, Values weights = {}, bool big = false) {
  Trial trial{{"T", T}, {"D", D}, {"E", E}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, std::move(x));
  const auto Wg = trial.input("Wg", {{"d", D}, {"e", E}}, std::move(weights));
  const auto logits = trial.output("logits", {{"t", T}, {"e", E}});
  const auto product = [=](int t, int e, int from, int to) {
    Sum dot;
    for (int d = from; d < to; ++d) dot += X(t, d) * Wg(d, e);
    return dot;
  };
  trial.expect(logits, [=](int t, int e) { return product(t, e, 0, D); });

  trial.mistake("one-group-of-experts", logits, [=](int t, int e) -> Expected {
    return e < 8 ? product(t, e, 0, D) : Expected::unwritten();
  });
  if (D > 32) {
    trial.mistake("one-chunk", logits, [=](int t, int e) { return product(t, e, 0, 32); });
    trial.mistake("one-chunk", logits,
                  [=](int t, int e) { return product(t, e, (D - 1) / 32 * 32, D); });
  }
  trial.mistake("untransposed-weights", logits, [=](int t, int e) {
    Sum dot;
    for (int d = 0; d < D; ++d) dot += X(t, d) * Wg[e * D + d];
    return dot;
  });
  trial.mistake_if("early-return", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::block_returned);
  });
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is_race_in_shared_memory(); });
  trial.mistake_if("full-chunk", [](const Diagnostic& d) { return d.is("out_of_bounds"); });

  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { router_logits(X, Wg, logits, T, D, E, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts") {
  grade(3, 2, 4, micro_batch::floats("X"), micro_batch::floats("Wg"));
}

LESSON_CASE("one token, one expert, one column") {
  grade(1, 1, 1);
  grade(1, 40, 1);
  grade(33, 1, 1);
  grade(1, 2, 33);
}

LESSON_CASE("chunks that end where the row ends, before, after") {
  grade(2, 31, 5);
  grade(5, 32, 9);
  grade(3, 33, 8);
  grade(9, 70, 7);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [T, D, E] : unequal_triples(random, 4, 8000, {any_size, any_size, most_experts}))
    grade(T, D, E);
}

LESSON_CASE("a block of tokens, one less, one more") {
  grade(31, 5, 3);
  grade(32, 6, 8);
  grade(65, 3, 17);
}

LESSON_CASE("1,024 experts") {
  grade(2, 3, 1024);
}

LESSON_CASE("no tokens") {
  grade(0, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int D : {1, 2, 8, 32}) grade(5, D, 7);
  grade(2, 1000, 3);
  Random random = case_random();
  grade(40, 1, 3, random.extremes(40), random.values(3));  // denormals are kept
}

LESSON_CASE("tokens past 65,536, each of its own") {
  grade(66'000, 2, 3, {}, {}, true);
}

LESSON_CASE("more than a million tokens") {
  grade(1'100'000, 1, 1, {}, {}, true);
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 3, {}, {}, true);
}

BENCH_CASE("T = 256, D = 96, E = 16") {
  grade(256, 96, 16);
}
