// 023 assign_slots: the stable slot of each pair, and the inverse map
#include "testing/grader.h"

#include <algorithm>
#include <array>
#include <string>

using namespace testing;

namespace {

constexpr int kWarp = 32;

using Ints = std::vector<int>;

// What known mistakes leave behind. `slots` and `offsets` are right.
void know_mistakes(Trial& trial, const Array<int>& slot_of_pair, const Array<int>& pair_of_slot,
                   const Ints& experts, const Ints& offsets, const oracle::Slots& slots) {
  const auto expert = [&](int p) { return experts[static_cast<std::size_t>(p)]; };
  const auto offset = [&](int e) { return offsets[static_cast<std::size_t>(e)]; };
  const auto right = [&](int p) { return slots.slot_of_pair[static_cast<std::size_t>(p)]; };

  trial.mistake("swapped-maps", slot_of_pair, slots.pair_of_slot);
  trial.mistake("counts-itself", slot_of_pair, [=](int p) { return right(p) + 1; });
  trial.mistake("base-stands-still", slot_of_pair, [=](int p) {
    int rank = 0;  // among the pairs of the same step
    for (int q = p - p % kWarp; q < p; ++q) rank += expert(q) == expert(p);
    return offset(expert(p)) + rank;
  });
  // Any slot among the expert's own: half the way between its first and its last. Threads that
  // come in order get the right one, as in the first run; what is wrong there is something else.
  const auto own_slots = [=](int p) -> Expected {
    const double first = offset(expert(p)), last = offset(expert(p) + 1) - 1;
    return {(first + last) / 2, (last - first) / 2};
  };
  trial.judge_each_run([=, &trial, runs = 0](const Results&) mutable {
    if (++runs > 1) trial.mistake("first-come", slot_of_pair, own_slots);
  });
  trial.mistake("swapped-maps", pair_of_slot, slots.slot_of_pair);
  // The last slot's pair, of the last expert that has one, goes to the slot behind it.
  const int last = static_cast<int>(slots.pair_of_slot.size()) - 1;
  const int p = last < 0 ? 0 : slots.pair_of_slot[static_cast<std::size_t>(last)];
  const std::string behind = "writes pair_of_slot[s=" + std::to_string(last + 1) + "]";
  const int thread = last < 0 ? -1 : expert(p) * kWarp + p % kWarp;
  trial.mistake_if("counts-itself", [=](const Diagnostic& d) {
    return last > 1 && d.is("out_of_bounds") && d.global_x(8 * kWarp) == thread &&
           d.message.find(behind) != std::string::npos;
  });
  trial.mistake_if("vote-in-a-branch", [](const Diagnostic& d) {
    return d.misses(Diagnostic::Divergence::lanes_elsewhere) ||
           d.misses(Diagnostic::Divergence::lanes_returned);
  });
}

// With `most_runs` only that many, each judged if it is quick; the second has blocks in reverse.
void grade(Ints chosen, int E, int most_runs = 0) {
  const int pairs = static_cast<int>(chosen.size());
  Trial trial{{"pairs", pairs}, {"E", E}};
  const auto experts = trial.input("experts", {{"p", pairs}}, chosen);
  const auto offsets = trial.input("offsets", {{"e", E + 1}},
                                   oracle::expert_offsets(oracle::count_tokens(chosen, E)));
  const auto slot_of_pair = trial.output<int>("slot_of_pair", {{"p", pairs}});
  const auto pair_of_slot = trial.output<int>("pair_of_slot", {{"s", pairs}});
  const auto slots = oracle::assign_slots(chosen, offsets.values());
  trial.expect(slot_of_pair, slots.slot_of_pair);
  trial.expect(pair_of_slot, slots.pair_of_slot);
  const Ints starts = offsets.values();
  know_mistakes(trial, slot_of_pair, pair_of_slot, chosen, starts, slots);
  if (most_runs > 0) {
    trial.judge_if_quick();
    trial.limit_runs(most_runs);
  }
  trial.call([&](cudaStream_t stream) {
    assign_slots(experts, offsets, slot_of_pair, pair_of_slot, pairs, E, stream);
  });
}

Ints any_experts(Random& random, int pairs, int E) {
  return random.integers(static_cast<std::size_t>(pairs), 0, E - 1);
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 choices each, expert 1 without a pair") {
  grade(micro_batch::ints("experts"), static_cast<int>(micro_batch::ints("counts").size()));
}

LESSON_CASE("one pair, one expert") {
  Random random = case_random();
  grade({0}, 1);
  grade({3}, 5);
  grade(any_experts(random, 7, 1), 1);
  grade({1, 0}, 2);
}

LESSON_CASE("a warp of pairs, one less, one more") {
  Random random = case_random();
  for (const int pairs : {31, 32, 33, 64, 65}) grade(any_experts(random, pairs, 3), 3);
}

LESSON_CASE("sizes that differ") {
  Random random = case_random();
  for (const auto [pairs, E] : unequal_pairs(random, 5, 10'000, {any_size, most_experts})) {
    grade(any_experts(random, pairs, E), E);
  }
}

LESSON_CASE("one expert takes all, the others nothing") {
  for (const int e : {0, 2, 4}) grade(Ints(100, e), 5);
}

LESSON_CASE("experts without a pair, first, last and side by side") {
  Random random = case_random();
  Ints experts = random.integers(90, 0, 2);
  for (int& e : experts) e = std::array{2, 3, 7}[static_cast<std::size_t>(e)];
  grade(experts, 11);
}

LESSON_CASE("experts in order, and in reverse") {
  Ints experts(77);
  for (int p = 0; p < 77; ++p) experts[static_cast<std::size_t>(p)] = p / 13;
  grade(experts, 6);
  std::reverse(experts.begin(), experts.end());
  grade(experts, 6);
}

LESSON_CASE("a block of experts, one less, one more; 1,024 experts") {
  Random random = case_random();
  for (const int E : {7, 8, 9, 33}) grade(any_experts(random, 50, E), E);
  grade(any_experts(random, 40, 1024), 1024);
}

LESSON_CASE("more pairs than a block has threads") {
  Random random = case_random();
  grade(any_experts(random, 1025, 4), 4);
  grade(any_experts(random, 2049, 3), 3);
}

LESSON_CASE("no pairs") {
  grade({}, 1);
  grade({}, 9);
}

LESSON_CASE("more pairs than shared memory holds, more than 65,536") {
  Random random = case_random();
  grade(any_experts(random, 13'000, 3), 3, 2);
  grade(any_experts(random, 66'000, 2), 2, 1);
}

BENCH_CASE("4,096 pairs, E = 96") {
  Random random = case_random();
  grade(any_experts(random, 4096, 96), 96);
}
