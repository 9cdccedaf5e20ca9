// 021 count_tokens: how many pairs chose each expert
#include "testing/grader.h"

using namespace testing;

namespace {

void grade(std::vector<int> chosen, int E, int most_runs = 0) {
  const int pairs = static_cast<int>(chosen.size());
  Trial trial{{"pairs", pairs}, {"E", E}};
  const auto experts = trial.input("experts", {{"p", pairs}}, std::move(chosen));
  const auto counts = trial.output<int>("counts", {{"e", E}});
  trial.expect(counts, oracle::count_tokens(experts.values(), E));

  trial.mistake("own-part", counts, [=](int e) {
    int count = 0;  // of the last block
    for (int p = (pairs - 1) / 256 * 256; p < pairs; ++p) count += experts[p] == e;
    return count;
  });
  // One line that races with itself in shared memory adds without an atomic; two lines lack a
  // barrier.
  trial.mistake_if("plain-add", [](const Diagnostic& d) {
    return d.is("race") && d.line == d.other_line &&
           d.message.find("shared memory") != std::string::npos;
  });
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is("race") && d.line != d.other_line; });
  trial.mistake_if("histogram-not-zeroed", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.shared_memory;
  });
  trial.mistake_if("no-room", [](const Diagnostic& d) { return d.is("out_of_bounds"); });

  if (most_runs > 0) trial.limit_runs(most_runs);
  trial.call([&](cudaStream_t stream) { count_tokens(experts, counts, pairs, E, stream); });
}

void grade(int pairs, int E, int most_runs = 0) {
  grade(case_random().integers(static_cast<std::size_t>(pairs), 0, E - 1), E, most_runs);
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 experts each") {
  grade(micro_batch::ints("experts"), 4);
}

LESSON_CASE("one pair, one expert") {
  grade(1, 1);
  grade(5, 1);
  grade(std::vector{2}, 3);
  grade(std::vector{0, 6}, 7);
}

LESSON_CASE("no pairs: every count is 0") {
  grade(0, 1);
  grade(0, 5);
  grade(0, 1024);
}

LESSON_CASE("a block of threads, one less, one more") {
  for (const int pairs : {31, 33, 255, 256, 257, 513}) grade(pairs, 6);
}

LESSON_CASE("one expert takes all") {
  for (const int E : {2, 33}) grade(std::vector<int>(600, E - 1), E);
}

LESSON_CASE("more experts than threads in a block") {
  grade(300, 257);
  grade(700, 1023);
  grade(case_random().permutation(1024), 1024);  // each of them once
}

LESSON_CASE("sizes that differ") {
  Random random = case_random();
  for (const auto [pairs, E] : unequal_pairs(random, 5, 20'000, {any_size, most_experts}))
    grade(pairs, E);
}

LESSON_CASE("more pairs than threads in any reasonable grid") {
  grade(300'000, 3, 1);
}

BENCH_CASE("32,768 pairs, E = 64") {
  grade(32'768, 64);
}
