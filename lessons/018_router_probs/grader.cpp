// 018 router_probs: the softmax of each token's logits; -inf gives 0
#include "testing/grader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr int kLanes = 32;

// What a known mistake makes of a token: which experts it sees, what idle lanes pass in as their
// maximum, whether lane 0 alone ends with the sum, and whether the maximum is subtracted.
struct Slip {
  int seen = 1 << 20;
  float idle = kNothing;
  bool down = false;
  bool subtract = true;
};

// The sums that a warp's lanes hold after five steps of adding what lies `step` lanes further.
std::array<float, kLanes> sums_by_down(std::array<float, kLanes> value) {
  for (int step = 16; step > 0; step /= 2) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const int from = lane + step < kLanes ? lane + step : lane;
      value[static_cast<std::size_t>(lane)] += value[static_cast<std::size_t>(from)];
    }
  }
  return value;
}

oracle::Bounded slipped(const Values& logits, int T, int E, Slip slip) {
  oracle::Bounded out = oracle::make_bounded(logits.size());
  const int seen = std::min(E, slip.seen);
  for (int t = 0; t < T; ++t) {
    const float* row = logits.data() + static_cast<std::ptrdiff_t>(t) * E;
    float max = *std::max_element(row, row + seen);
    if (E < kLanes) max = std::max(max, slip.idle);
    if (!slip.subtract) max = 0;
    std::array<float, kLanes> of_lane{};
    float sum = 0;
    for (int e = 0; e < seen; ++e) {
      of_lane[static_cast<std::size_t>(e % kLanes)] += std::exp(row[e] - max);
      sum += std::exp(row[e] - max);
    }
    const auto by_down = sums_by_down(of_lane);
    for (int e = 0; e < E; ++e) {
      const auto i =
          static_cast<std::size_t>(t) * static_cast<std::size_t>(E) + static_cast<std::size_t>(e);
      const float total = slip.down ? by_down[static_cast<std::size_t>(e % kLanes)] : sum;
      out.value[i] = std::exp(row[e] - max) / total;
      out.bound[i] = 1e-4 * std::fabs(out.value[i]) + 1e-30;
    }
  }
  return out;
}

void know_mistakes(Trial& trial, const Array<float>& probs, const Values& logits, int T, int E) {
  trial.mistake("down-for-xor", probs, slipped(logits, T, E, {.down = true}));
  trial.mistake("zero-for-nothing", probs, slipped(logits, T, E, {.idle = 0}));
  trial.mistake("missing-max", probs, slipped(logits, T, E, {.subtract = false}));
  if (E > kLanes) {
    const auto few = slipped(logits, T, E, {.seen = kLanes});
    trial.mistake("no-walk", probs, [=](int t, int e) -> Expected {
      const auto i =
          static_cast<std::size_t>(t) * static_cast<std::size_t>(E) + static_cast<std::size_t>(e);
      return e < kLanes ? Expected(few.value[i], few.bound[i]) : Expected::unwritten();
    });
  }
  if (T > 1) {
    const auto right = oracle::router_probs(logits, T, E);
    trial.mistake("one-token-a-block", probs, [=](int t, int e) -> Expected {
      const auto i =
          static_cast<std::size_t>(t) * static_cast<std::size_t>(E) + static_cast<std::size_t>(e);
      return t < (T + 7) / 8 ? Expected(right.value[i], right.bound[i]) : Expected::unwritten();
    });
  }
  trial.mistake_if("lanes-left-out", [](const Diagnostic& d) {
    return d.is("barrier_divergence") && d.message.find("lane") != std::string::npos;
  });
}

void grade(int T, int E, Values values = {}) {
  Trial trial{{"T", T}, {"E", E}};
  const auto logits = trial.input("logits", {{"token", T}, {"expert", E}}, std::move(values));
  const auto probs = trial.output("probs", {{"token", T}, {"expert", E}});
  trial.expect(probs, oracle::router_probs(logits.values(), T, E));
  know_mistakes(trial, probs, logits.values(), T, E);
  trial.call([&](cudaStream_t stream) { router_probs(logits, probs, T, E, stream); });
}

// Ordinary rows, each moved to a place of its own on the axis.
Values shifted(Random& random, const Values& shifts, int E) {
  Values logits;
  for (const float shift : shifts) {
    for (int e = 0; e < E; ++e) logits.push_back(shift + random.uniform(-3, 3));
  }
  return logits;
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts") {
  grade(3, 4, micro_batch::floats("logits"));
}

LESSON_CASE("one token, one expert") {
  grade(1, 1);
  grade(1, 45);
  grade(13, 1);
}

LESSON_CASE("fewer experts than lanes, as many, more") {
  for (const int E : {2, 3, 17, 31, 32, 33, 64, 65}) grade(5, E);
  grade(2, 1024);
}

LESSON_CASE("tokens that do not fill a block") {
  for (const int T : {7, 8, 9, 31, 33}) grade(T, 3);
}

LESSON_CASE("tokens and experts that differ") {
  Random random = case_random();
  for (const auto [T, E] : unequal_pairs(random, 4, 2500, {any_size, most_experts})) grade(T, E);
}

LESSON_CASE("large logits, of both signs") {
  Random random = case_random();
  grade(4, 5, shifted(random, {89, 200, 1000, 3e4f}, 5));
  grade(4, 5, shifted(random, {-120, -200, -1000, -3e4f}, 5));
  grade(1, 3, {-100, -101, -102});
  grade(2, 100, shifted(random, {500, -500}, 100));
}

LESSON_CASE("experts at minus infinity") {
  grade(3, 4, {kNothing, 1, 2, kNothing, kNothing, kNothing, kNothing, -5, 0, kNothing, 0, 0});
  // One finite logit among 70, so most lanes see none.
  Values logits(3 * 70, kNothing);
  logits[0] = 7;
  logits[70 + 69] = -1;
  logits[140 + 33] = -3e4f;
  grade(3, 70, std::move(logits));
}

LESSON_CASE("experts far off, and all alike") {
  grade(2, 4, {0, -90, -104, -200, 0, -1, -88, -95});
  grade(1, 7, Values(7, 42.0f));
}

LESSON_CASE("no tokens") {
  grade(0, 5);
}

// Of this grid some blocks run, and only their tokens are looked at. One expert keeps it quick.
LESSON_CASE("tokens past 65,536, each of its own") {
  const int T = 66'000, E = 3;
  Trial trial{{"T", T}, {"E", E}};
  const auto logits = trial.input("logits", {{"token", T}, {"expert", E}},
                                  trial.random().normals(std::size_t{T} * E, 0, 200));
  const auto probs = trial.output("probs", {{"token", T}, {"expert", E}});
  trial.expect(probs, oracle::router_probs(logits.values(), T, E));
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { router_probs(logits, probs, T, E, stream); });
}

LESSON_CASE("more than a million tokens") {
  const int T = 1'050'000, E = 1;
  Trial trial{{"T", T}, {"E", E}};
  const auto logits = trial.input("logits", {{"token", T}, {"expert", E}});
  const auto probs = trial.output("probs", {{"token", T}, {"expert", E}});
  const auto one = oracle::router_probs(Values{1}, 1, 1);
  trial.expect(probs, [=](int, int) { return Expected(one.value[0], one.bound[0]); });
  trial.sample_blocks();
  trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { router_probs(logits, probs, T, E, stream); });
}

BENCH_CASE("T = 512, E = 96") {
  grade(512, 96);
}
