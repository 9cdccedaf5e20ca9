// 044 aux_loss_backward: dprobs[t,e] = alpha E f_e / T
#include "testing/grader.h"

#include <algorithm>
#include <numeric>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kThreadsOfGrid = 1024 * 256;  // of the lesson's launch

// E shares that add up to 1, some of them 0.
Values shares(Random& random, int E) {
  Values result = random.uniforms(static_cast<std::size_t>(E), 0.05f, 1);
  for (std::size_t e = 3; e < result.size(); e += 5) result[e] = 0;
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (float& value : result) value = static_cast<float>(value / sum);
  return result;
}

struct Options {
  bool sample = false;  // of a big grid, only some blocks
  bool once = false;
};

void grade(int T, Values f, float alpha, Options options = {}) {
  const int E = static_cast<int>(f.size());
  Trial trial{{"T", T}, {"E", E}};
  const auto fractions = trial.input("fractions", {{"e", E}}, std::move(f));
  const auto dprobs = trial.output("dprobs", {{"t", T}, {"e", E}});
  trial.expect(dprobs, oracle::aux_loss_backward(fractions.values(), T, alpha));

  const auto times = [](double scale, double share) { return within_ulps(scale * share, 6); };
  const double weight = alpha, scale = T > 0 ? weight * E / T : 0;
  trial.mistake("tokens-forgotten", dprobs,
                [=](int, int e) { return times(weight * E, fractions(e)); });
  trial.mistake_if("adds-to-the-old", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.array == "dprobs";
  });
  if (T > 0) {
    trial.mistake("integer-division", dprobs,
                  [=](int, int e) { return times(weight * (E / T), fractions(e)); });
    trial.mistake("experts-forgotten", dprobs,
                  [=](int, int e) { return times(weight / T, fractions(e)); });
    // A thread keeps its first column and walks by as many threads as the launch has.
    const int needed = (T * E + 255) / 256 * 256, threads = std::min(needed, kThreadsOfGrid);
    trial.mistake("drifting-column", dprobs,
                  [=](int t, int e) { return times(scale, fractions((t * E + e) % threads % E)); });
    trial.mistake("index-by-token", dprobs, [=](int t, int) {
      return t < E ? times(scale, fractions(t)) : Expected(0, 1e30);
    });
  }
  trial.mistake_if("empty-grid",
                   [=](const Diagnostic& d) { return T == 0 && d.is("launch_error"); });
  trial.mistake_if("index-by-token", [](const Diagnostic& d) {
    return d.is("out_of_bounds") && d.message.find("reads fractions") != std::string::npos;
  });

  if (options.sample) trial.sample_blocks();
  if (options.once) trial.limit_runs(1);
  trial.call(
      [&](cudaStream_t stream) { aux_loss_backward(fractions, dprobs, T, E, alpha, stream); });
}

void grade(int T, int E, float alpha, Options options = {}) {
  Random random = case_random();
  grade(T, shares(random, E), alpha, options);
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 4 experts, alpha = 0.1") {
  grade(3, micro_batch::floats("fractions"), 0.1f);
}

LESSON_CASE("three experts with a third each, and one that nobody chose") {
  const float third = 1 / 3.0f;
  grade(3, {third, third, third, 0}, 1);
}

LESSON_CASE("one token, one expert") {
  grade(1, 1, 2);
  grade(1, 45, 0.3f);
  grade(37, 1, 0.3f);
}

LESSON_CASE("no tokens: nothing to write") {
  grade(0, 1, 1);
  grade(0, 5, 1);
}

LESSON_CASE("elements that fill a block of threads, one less, one more") {
  for (const int T : {85, 86, 171}) grade(T, 3, 0.5f);
  for (const int T : {255, 256, 257}) grade(T, 1, 0.5f);
}

LESSON_CASE("experts round a warp, round a block, and 1,024") {
  for (const int E : {31, 32, 33, 255, 256, 257}) grade(5, E, 0.5f);
  for (const int E : {513, 1023, 1024}) grade(2, E, 0.5f);
}

LESSON_CASE("even numbers of experts that are no powers of two") {
  for (const int E : {6, 10, 12, 24, 96}) grade(7, E, 0.5f);
}

LESSON_CASE("tokens and experts that differ") {
  Random random = case_random();
  for (const auto [T, E] : unequal_pairs(random, 5, 6000, {any_size, most_experts})) {
    grade(T, E, random.uniform(0.01f, 2));
  }
}

LESSON_CASE("alpha from 0 to large") {
  for (const float alpha : {0.0f, 0x1p-20f, 1000.0f}) grade(9, 7, alpha);
}

LESSON_CASE("more than a million tokens") {
  grade(1'100'000, 1, 1, {.sample = true, .once = true});
}

LESSON_CASE("more elements than the grid has threads, in columns that do not divide it") {
  grade(kThreadsOfGrid / 3 + 500, 3, 1, {.once = true});
}

BENCH_CASE("T = 20,000, E = 6") {
  grade(20'000, 6, 0.1f);
}
