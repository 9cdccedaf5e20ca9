// route: probabilities, choices, gates, counts, offsets and slots, all from logits. The choice is
// that of the probabilities as the function wrote them, everything after it that of the choice.
#include <algorithm>
#include <limits>

#include "moe/examples.h"
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float kNothing = -std::numeric_limits<float>::infinity();

void grade(int T, int E, int K, Values given = {}, int calls = 1, int most_runs = 0) {
  Trial trial{{"T", T}, {"E", E}, {"K", K}};
  const auto logits = trial.input("logits", {{"t", T}, {"e", E}}, std::move(given));
  const auto probs = trial.output("probs", {{"t", T}, {"e", E}});
  const auto experts = trial.output<int>("experts", {{"t", T}, {"j", K}});
  const auto gates = trial.output("gates", {{"t", T}, {"j", K}});
  const auto counts = trial.output<int>("counts", {{"e", E}});
  const auto offsets = trial.output<int>("offsets", {{"e", E + 1}});
  const auto slot_of_pair = trial.output<int>("slot_of_pair", {{"p", T * K}});
  const auto pair_of_slot = trial.output<int>("pair_of_slot", {{"s", T * K}});
  trial.judge_each_run([&](const Results& results) {
    trial.expect(probs, oracle::router_probs(logits.values(), T, E));
    const oracle::RouterChoice choice = oracle::router_topk(results(probs), T, E, K);
    const std::vector<int> right_counts = oracle::count_tokens(choice.experts, E);
    const std::vector<int> right_offsets = oracle::expert_offsets(right_counts);
    const oracle::Slots slots = oracle::assign_slots(choice.experts, right_offsets);
    trial.expect(experts, choice.experts);
    trial.expect(gates, choice.gates);
    trial.expect(counts, right_counts);
    trial.expect(offsets, right_offsets);
    trial.expect(slot_of_pair, slots.slot_of_pair);
    trial.expect(pair_of_slot, slots.pair_of_slot);
  });
  if (most_runs > 0) trial.limit_runs(most_runs);
  trial.call([&](cudaStream_t stream) {
    for (int call = 0; call < calls; ++call) {
      route(logits, probs, experts, gates, counts, offsets, slot_of_pair, pair_of_slot, T, E, K,
            stream);
    }
  });
}

}  // namespace

LESSON_CASE("the lessons' example: 3 tokens, 2 of 4 experts") {
  grade(3, 4, 2, micro_batch::floats("logits"));
}

LESSON_CASE("one token, one expert, one choice") {
  grade(1, 1, 1);
  grade(37, 1, 1);
  grade(1, 45, 1);
  grade(2, 2, 2);
}

LESSON_CASE("no tokens: counts and offsets are 0") {
  grade(0, 1, 1);
  grade(0, 9, 2);
}

LESSON_CASE("rows of every width") {
  for (const int E : {5, 31, 64, 65, 128, 130, 256, 300, 1023, 1024}) grade(7, E, std::min(E, 3));
}

LESSON_CASE("16 choices, and all experts chosen") {
  grade(5, 16, 16);
  grade(9, 64, 16);
  grade(3, 257, 16);
}

LESSON_CASE("a tile of tokens, one less, one more; several blocks") {
  for (const int T : {127, 128, 129, 257}) grade(T, 4, 2);
  grade(520, 66, 2);
}

LESSON_CASE("ties, and experts that nobody chooses") {
  grade(40, 8, 2, Values(320, 1.5f));
  Random random = case_random();
  Values logits = random.whole_numbers(60 * 12, -1, 1);
  for (std::size_t i = 0; i < logits.size(); i += 12) logits[i + 3] = logits[i + 11] = kNothing;
  grade(60, 12, 3, std::move(logits));
}

LESSON_CASE("saturated rows: zeros tie") {
  Values logits(6 * 20, -500.0f);
  for (std::size_t t = 0; t < 6; ++t) logits[t * 20 + 3 * t] = 400;
  grade(6, 20, 4, std::move(logits));
}

LESSON_CASE("two calls: nothing is left behind") {
  grade(300, 6, 2, {}, 2);
}

LESSON_CASE("more tokens than the tiles hold at a time") {
  grade(70'000, 3, 2, {}, 1, 1);
}
