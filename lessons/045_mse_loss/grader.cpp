// 045 mse_loss: *loss = mean over i of (y[i] - target[i])^2; 0 when n is 0
#include "testing/grader.h"

#include <algorithm>
#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kThreads = 256, kMostBlocks = 256;     // of the stub
constexpr int kMany = kThreads * kMostBlocks + 301;  // so its threads have to walk

int blocks_of(int n) {
  return std::clamp((n + kThreads - 1) / kThreads, 1, kMostBlocks);
}

void know_mistakes(Trial& trial, const Array<float>& loss, const Array<float>& y,
                   const Array<float>& target, int n) {
  const oracle::Bounded mean = oracle::mse_loss(y.values(), target.values());
  // The loss times a factor: the bound grows with it.
  const auto times = [=](double factor) {
    return [=]() -> Expected { return {factor * mean.value[0], factor * mean.bound[0]}; };
  };
  trial.mistake("wrong-count", loss, times(n));
  trial.mistake("wrong-count", loss, times(static_cast<double>(n) / blocks_of(n)));
  trial.mistake_if("one-launch", [](const Diagnostic& d) {
    return d.is("race") && d.message.find("race on loss") == std::string::npos;
  });
  trial.mistake_if("adds-to-loss", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("loss") != std::string::npos;
  });
  if (n == 0) {
    trial.mistake_if("nothing-launched", [](const Diagnostic& d) { return d.is("launch_error"); });
    trial.mistake("nothing-launched", loss, []() { return Expected::unwritten(); });
    trial.mistake("nothing-launched", loss, []() { return Expected(NAN); });
  }
}

// `left` is the largest sum that earlier calls may have left in places that this one does not use.
void grade(int n, Values outputs = {}, Values targets = {}, double left = 0) {
  Trial trial{{"n", n}};
  const auto y = trial.input("y", {{"i", n}}, std::move(outputs));
  const auto target = trial.input("target", {{"i", n}}, std::move(targets));
  const auto loss = trial.output("loss", {});
  trial.expect(loss, oracle::mse_loss(y.values(), target.values()));
  know_mistakes(trial, loss, y, target, n);
  if (left > 0) {
    const double mean = oracle::mse_loss(y.values(), target.values()).value[0];
    trial.mistake("stale-partials", loss, [=]() -> Expected {
      return {mean + left / n / 2, left / n / 2};
    });
  }
  if (n > 5'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { mse_loss(y, target, loss, n, stream); });
}

// All errors are 0 but that of element `where`: its square alone is the sum, so its absence shows
// whatever n is.
void grade_one_error(int n, int where) {
  const Values targets = case_random().values(static_cast<std::size_t>(n));
  Values outputs = targets;
  outputs[static_cast<std::size_t>(where)] += 8;
  grade(n, outputs, targets);
}

}  // namespace

LESSON_CASE("the micro-batch: 3 tokens, 2 columns") {
  grade(6, micro_batch::floats("out"), micro_batch::floats("target"));
}

LESSON_CASE("0, 1, 2, 3 elements") {
  for (int n = 0; n <= 3; ++n) grade(n);
}

LESSON_CASE("warps and blocks, one less, one more") {
  for (const int n : {31, 32, 33, 255, 256, 257, 511, 513, 1023, 1025}) grade(n);
}

LESSON_CASE("sizes at random") {
  Random random = case_random();
  for (int k = 0; k < 3; ++k) grade(random.integer(4, 3000));
}

LESSON_CASE("every error but one is 0") {
  for (const int where : {0, 32, 255, 256, 511, 1000}) grade_one_error(1001, where);
  grade_one_error(768, 767);
}

LESSON_CASE("more elements than 256 blocks have threads") {
  grade_one_error(kMany, kMany - 1);
}

LESSON_CASE("many elements: every error counts, and their number is prime") {
  Random random = case_random();
  for (const int n : {2'503, 65'537}) {
    const Values targets(static_cast<std::size_t>(n), 0.0f);
    grade(n, tall_terms(random, n, 1), targets);
  }
}

LESSON_CASE("a small call after a large one") {
  // What the large one left in its scratch must not matter.
  const double most = 6000 * 4.0 * 4.0;
  grade(6000);
  grade(700, {}, {}, most);
  grade(3, {}, {}, most);
  grade(0);
}

LESSON_CASE("every error is 0") {
  const Values values = case_random().values(600);
  grade(600, values, values);
}

LESSON_CASE("large numbers with small differences") {
  Random random = case_random();
  Values outputs = random.uniforms(403, 1000, 2000), targets;
  for (const float value : outputs) targets.push_back(value + random.uniform(-1, 1));
  grade(403, outputs, targets);
}

LESSON_CASE("large errors, tiny errors") {
  const Values large = {1e15f, -1e15f, 3e14f}, tiny = {1e-20f, -2e-20f, 3e-20f};
  grade(3, large, {-1e15f, 1e14f, 0});
  grade(3, tiny, {0, 1e-20f, -1e-20f});  // squares that only denormals can hold
  grade(3, {2, -3e-6f, 5e-12f}, {-1e9f, 4, 0});
}

BENCH_CASE("n = 65,536") {
  grade(65'536);
}
