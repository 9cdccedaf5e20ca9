// 042 mean_probs: means[e] = the mean of probs[t,e] over t; 0 when T is 0
#include "testing/grader.h"

#include <algorithm>
#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kFold = 1024;  // threads of the lesson's block

// Rows that sum to 1, as softmax leaves them.
Values probabilities(Random& random, int T, int E) {
  Values result = random.uniforms(static_cast<std::size_t>(T) * static_cast<std::size_t>(E), 0, 1);
  for (std::size_t begin = 0; begin < result.size(); begin += static_cast<std::size_t>(E)) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(E); ++i) sum += result[i];
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(E); ++i)
      result[i] = static_cast<float>(result[i] / sum);
  }
  return result;
}

struct Options {
  int most_runs = 0;
  // Where the sums are exact: for what a running mean rounds, and for fewer than thirty tokens.
  double bound = 0;
};

void grade(int T, int E, Values values, Options options = {}) {
  Trial trial{{"T", T}, {"E", E}};
  const auto probs = trial.input("probs", {{"t", T}, {"e", E}}, std::move(values));
  const auto means = trial.output("means", {{"e", E}});
  oracle::Bounded right = oracle::mean_probs(probs.values(), T, E);
  if (options.bound > 0) std::ranges::fill(right.bound, options.bound);
  trial.expect(means, right);

  // What threads e, e + E, ... below `stride` add up when they walk in steps of it.
  const auto column = [=](int e, int stride) {
    Sum sum;
    for (int thread = e; thread < stride; thread += E)
      for (int i = thread; i < T * E; i += stride) sum += probs[i];
    return sum;
  };
  const auto mean = [=](const Sum& sum) { return Expected(sum.value() / T, sum.bound() / T); };
  if (T == 0) {
    trial.mistake("zero-by-zero", means, [](int) { return std::nan(""); });
    trial.mistake("zero-by-zero", means, [](int) { return Expected::unwritten(); });
  } else {
    trial.mistake("not-divided", means, [=](int e) { return column(e, E); });
    trial.mistake("not-divided", means, [=](int e) {
      const Sum sum = column(e, E);
      return Expected(sum.value() / E, sum.bound() / E);
    });
    trial.mistake("idle-take-part", means, [=](int e) {
      const int stride = kFold / E * E;
      Sum sum;
      for (int thread = e; thread < kFold; thread += E)
        for (int i = thread; i < T * E; i += stride) sum += probs[i];
      return mean(sum);
    });
    trial.mistake("drifting-stride", means, [=](int e) { return mean(column(e, kFold)); });
  }
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is_race_in_shared_memory(); });
  trial.mistake_if("return-before-barrier", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::block_returned);
  });

  if (options.most_runs > 0) trial.limit_runs(options.most_runs);
  trial.call([&](cudaStream_t stream) { mean_probs(probs, means, T, E, stream); });
}

void grade(int T, int E) {
  Random random = case_random();
  grade(T, E, probabilities(random, T, E));
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts") {
  grade(3, 4, micro_batch::floats("probs"));
}

LESSON_CASE("one token, one expert") {
  grade(1, 1);
  grade(1, 45);
  grade(2, 1024);
  grade(67, 1);
}

LESSON_CASE("no tokens: every mean is 0") {
  for (const int E : {1, 3, 1024}) grade(0, E);
}

LESSON_CASE("tokens that fill a round of the block, one less, one more") {
  // 341 rows of 3 are 1,023 of 1,024 threads.
  for (const int T : {340, 341, 342, 683}) grade(T, 3);
  for (const int T : {1023, 1024, 1025}) grade(T, 1);
  for (const int T : {31, 32}) grade(T, 33);
}

LESSON_CASE("experts round a warp and round a block") {
  grade(7, 31);
  grade(5, 32);
  grade(9, 33);
  grade(5, 255);
  grade(6, 257);
}

LESSON_CASE("more experts than half of the block") {
  for (const int E : {511, 512, 513, 700, 1023}) grade(4, E);
  grade(3, 1024);
}

LESSON_CASE("tokens and experts that differ") {
  Random random = case_random();
  for (const auto [T, E] : unequal_pairs(random, 5, 6000, {any_size, most_experts})) grade(T, E);
}

LESSON_CASE("probabilities of exactly 0 and 1, and close to both") {
  // Experts 1 and 4 are never chosen: their mean is exactly 0.
  Values one_hot(6 * 40, 0.0f);
  for (std::size_t t = 0; t < 40; ++t)
    one_hot[6 * t + (t % 4 == 0 ? 0 : t % 4 == 1 ? 5 : t % 4)] = 1;
  grade(40, 6, one_hot);
  Random random = case_random();
  Values tiny = random.extremes(5 * 30, 1.0f);
  for (float& value : tiny) value = std::fabs(value);
  grade(30, 5, tiny);
  grade(1, 30, Values(tiny.begin(), tiny.begin() + 30));  // denormals are kept
}

LESSON_CASE("tall columns, of a prime number of tokens") {
  Random random = case_random();
  for (const int T : {1'009, 2'503}) grade(T, 3, tall_terms(random, T, 3));
}

LESSON_CASE("more than 65,535 tokens") {
  // Only the last of them count for expert 1: what 66,000 roundings may add up to would hide some.
  Values values;
  for (int t = 0; t < 66'000; ++t) {
    values.push_back(t < 65'500 ? 1.0f : 0.25f);
    values.push_back(1 - values.back());
  }
  grade(66'000, 2, values, {.most_runs = 1});
}

LESSON_CASE("65,536 tokens, probabilities in eighths, whose sums are exact: thirty tokens show") {
  Random random = case_random();
  Values values;
  for (const float eighths : random.whole_numbers(65'536, 1, 7)) {
    values.push_back(eighths / 8);
    values.push_back(1 - values.back());
  }
  grade(65'536, 2, values, {.most_runs = 1, .bound = 2e-4});
}

BENCH_CASE("T = 1,000, E = 3") {
  grade(1000, 3);
}
