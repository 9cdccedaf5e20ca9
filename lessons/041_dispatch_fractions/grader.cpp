// 041 dispatch_fractions: f_e = counts[e] / pairs; 0 when pairs is 0
#include "testing/grader.h"

#include <numeric>

using namespace testing;

namespace {

// pairs is what the counts add up to.
void grade(std::vector<int> numbers) {
  const int E = static_cast<int>(numbers.size());
  const int pairs = std::accumulate(numbers.begin(), numbers.end(), 0);
  Trial trial{{"pairs", pairs}, {"E", E}};
  const auto counts = trial.input("counts", {{"e", E}}, std::move(numbers));
  const auto fractions = trial.output("fractions", {{"e", E}});
  trial.expect(fractions, oracle::dispatch_fractions(counts.values(), pairs));

  if (pairs == 0) {
    trial.mistake("zero-by-zero", fractions, [](int) { return std::nan(""); });
    trial.mistake("early-return", fractions, [](int) { return Expected::unwritten(); });
  } else {
    trial.mistake("integer-division", fractions, [=](int e) { return counts[e] / pairs; });
    trial.mistake("wrong-total", fractions,
                  [=](int e) { return within_ulps(counts[e] / static_cast<double>(E), 4); });
  }
  trial.mistake("first-block-only", fractions, [=](int e) -> Expected {
    if (e >= 256) return Expected::unwritten();
    return pairs == 0 ? 0 : within_ulps(counts[e] / static_cast<double>(pairs), 4);
  });

  trial.call([&](cudaStream_t stream) { dispatch_fractions(counts, fractions, pairs, E, stream); });
}

void grade(int E, int most) {
  Random random = case_random();
  grade(random.integers(static_cast<std::size_t>(E), 0, most));
}

}  // namespace

LESSON_CASE("the lesson's example: 6 pairs, 4 experts") {
  grade(micro_batch::ints("counts"));
}

LESSON_CASE("one pair, one expert") {
  grade(std::vector{1});
  grade(std::vector{7});
  grade(std::vector{0, 1, 0});
}

LESSON_CASE("no pairs: every share is 0") {
  for (const int E : {1, 5, 257, 1024}) grade(E, 0);
}

LESSON_CASE("a warp of experts, a block of them, one less, one more") {
  for (const int E : {2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257, 513}) grade(E, 40);
}

LESSON_CASE("up to 1,024 experts") {
  for (const int E : {769, 1023, 1024}) grade(E, 1'000'000);
}

LESSON_CASE("one expert takes all, or nearly") {
  std::vector<int> counts(70, 0);
  counts[69] = 100'003;
  grade(counts);
  counts[0] = 1;
  grade(counts);
}

LESSON_CASE("counts of every size") {
  Random random = case_random();
  for (int round = 0; round < 3; ++round) {
    std::vector<int> counts(static_cast<std::size_t>(random.integer(5, 90)));
    for (int& count : counts) count = random.integer(0, 1 << random.integer(0, 24));
    grade(counts);
  }
}

LESSON_CASE("counts that no float holds exactly") {
  grade(std::vector{16'777'217, 0, 1, 16'777'219});
  grade(std::vector{1'073'741'825, 3, 1'000'000'007, 0});
  grade(std::vector{2'147'479'552});
}

BENCH_CASE("E = 1,024") {
  grade(1024, 40);
}
