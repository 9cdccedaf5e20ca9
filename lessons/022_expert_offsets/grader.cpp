// 022 expert_offsets: the exclusive prefix sum of the counts, and the total
#include "testing/grader.h"

#include <algorithm>
#include <numeric>

using namespace testing;

namespace {

void grade(std::vector<int> numbers) {
  const int E = static_cast<int>(numbers.size());
  Trial trial{{"E", E}};
  const auto counts = trial.input("counts", {{"e", E}}, std::move(numbers));
  const auto offsets = trial.output<int>("offsets", {{"e", E + 1}});
  trial.expect(offsets, oracle::expert_offsets(counts.values()));

  // The sum of `terms` counts up to and including e, as far as there are that many.
  const auto last = [=](int e, int terms) {
    int sum = 0;
    for (int i = std::max(0, e - terms + 1); i <= e; ++i) sum += counts[i];
    return sum;
  };
  trial.mistake("inclusive", offsets, [=](int e) -> Expected {
    return e < E ? Expected(last(e, E)) : Expected::unwritten();
  });
  trial.mistake("inclusive", offsets, [=](int e) { return last(std::min(e, E - 1), E); });
  trial.mistake("first-offset-missing", offsets, [=](int e) -> Expected {
    return e == 0 ? Expected::unwritten() : Expected(last(e - 1, E));
  });
  trial.mistake("no-total", offsets, [=](int e) -> Expected {
    return e == 0 ? Expected(0) : e < E ? Expected(last(e - 1, E)) : Expected::unwritten();
  });
  trial.mistake("one-step-short", offsets, [=](int e) -> Expected {
    int reach = 1;  // the largest power of two that is at most E / 2
    while (reach * 4 <= E) reach *= 2;
    return e == 0 ? 0 : last(e - 1, reach);
  });
  trial.mistake("one-step-short", offsets, [=](int e) -> Expected {
    int reach = 1;  // the largest power of two that is at most E
    while (reach * 2 <= E) reach *= 2;
    return e == 0 ? 0 : last(e - 1, reach);
  });
  trial.mistake_if("missing-barrier",
                   [](const Diagnostic& d) { return d.is_race_in_shared_memory(); });
  trial.mistake_if("first-out", [](const Diagnostic& d) { return d.misses_block_barrier(); });

  trial.call([&](cudaStream_t stream) { expert_offsets(counts, offsets, E, stream); });
}

void grade(int E, int most = 50) {
  Random random = case_random();
  grade(random.integers(static_cast<std::size_t>(E), 0, most));
}

}  // namespace

LESSON_CASE("the lesson's example: 4 experts") {
  grade(micro_batch::ints("counts"));
}

LESSON_CASE("one expert, two, three") {
  for (const int E : {1, 2, 3}) grade(E, 9);
}

LESSON_CASE("a power of two, one less, one more") {
  for (const int E : {7, 8, 9, 31, 32, 33, 63, 65}) grade(E);
}

LESSON_CASE("any number of experts") {
  Random random = case_random();
  for (int i = 0; i < 4; ++i) grade(random.integer(66, 500));
}

LESSON_CASE("up to 1,024 experts") {
  for (const int E : {511, 513, 1023, 1024}) grade(E, 1000);
}

LESSON_CASE("experts without tokens: equal neighbours") {
  grade(std::vector<int>(40, 0));
  std::vector<int> one(100, 0);
  one[37] = 1'234;
  grade(one);
  grade(std::vector{0, 0, 5, 0, 0, 7, 0});
}

LESSON_CASE("totals up to the largest that an array can have") {
  // Whole numbers above 2^24 do not fit in a float.
  grade(std::vector{16'777'217, 0, 1, 1'073'741'823, 3, 1'000'000'001});
  grade(std::vector<int>(1000, 2'147'479));
}

BENCH_CASE("E = 1,024") {
  grade(1024);
}
