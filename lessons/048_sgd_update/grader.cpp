// 048 sgd_update: w[i] -= lr g[i], in place
#include "testing/grader.h"

#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kThreadsOfGrid = 256 * 1024;  // the stub launches no more

void know_mistakes(Trial& trial, const Array<float>& w, const Array<float>& g, double lr) {
  // About that value: a few roundings of its terms.
  const auto near = [=](double value, int i) -> Expected {
    return {value, 4e-7 * (std::fabs(w(i)) + std::fabs(lr * g(i)))};
  };
  if (lr != 0) {
    trial.mistake("uphill", w, [=](int i) { return near(w(i) + lr * g(i), i); });
    trial.mistake("no-rate", w, [=](int i) { return near(w(i) - g(i), i); });
    trial.mistake("one-element-each", w,
                  [=](int i) { return near(i < kThreadsOfGrid ? w(i) - lr * g(i) : w(i), i); });
  }
  trial.mistake("weight-lost", w, [=](int i) { return near(-lr * g(i), i); });
  trial.mistake("weight-lost", w, [=](int i) { return near(lr * g(i), i); });
  trial.mistake_if("gradient-cleared", [](const Diagnostic& d) { return d.is("input_written"); });
}

void grade(int n, float lr, Values weights = {}, Values gradients = {}) {
  Trial trial{{"n", n}};
  const auto g = trial.input("g", {{"i", n}}, std::move(gradients));
  const auto w = trial.in_place("w", {{"i", n}}, std::move(weights));
  trial.expect(w, oracle::sgd_update(w.values(), g.values(), lr));
  know_mistakes(trial, w, g, lr);
  if (n > 5'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { sgd_update(w, g, n, lr, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: the router's 8 weights, lr = 0.1") {
  grade(8, 0.1f, micro_batch::floats("Wg"), micro_batch::floats("dWg"));
}

LESSON_CASE("0, 1, 2, 3 weights") {
  for (int n = 0; n <= 3; ++n) grade(n, 0.25f);
}

LESSON_CASE("warps and blocks, one less, one more") {
  for (const int n : {31, 32, 33, 255, 256, 257, 511, 1023, 1024, 1025}) grade(n, 0.3f);
}

LESSON_CASE("sizes and rates at random") {
  Random random = case_random();
  for (int k = 0; k < 3; ++k) grade(random.integer(4, 3000), random.uniform(0.001f, 2));
}

LESSON_CASE("a rate of 0 leaves every weight as it is") {
  Random random = case_random();
  grade(300, 0, random.extremes(300, 3e38f));
}

LESSON_CASE("a negative rate climbs") {
  grade(100, -0.5f);
}

LESSON_CASE("gradients of 0: an expert without tokens stays as it is") {
  Random random = case_random();
  Values gradients = random.values(300);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (i / 10 % 3 == 1) gradients[i] = i % 2 == 0 ? 0.0f : -0.0f;
  }
  grade(300, 0.7f, random.extremes(300, 1e30f), gradients);
}

LESSON_CASE("a step that nearly cancels the weight") {
  // w and lr g differ in their last digits: rounded once or twice, both are right.
  Random random = case_random();
  const Values gradients = random.values(400);
  Values weights;
  for (const float g : gradients) weights.push_back(0.3f * g * (1 + random.uniform(-1e-6f, 1e-6f)));
  grade(400, 0.3f, weights, gradients);
}

LESSON_CASE("steps smaller than half of a weight's last digit, and denormals") {
  Random random = case_random();
  grade(211, 1e-9f);
  grade(211, 0.5f, random.extremes(211, 1e37f), random.extremes(211, 1e37f));
  grade(3, 0.5f, {0x1p-140f, -0x1p-149f, 0x1p-126f}, {0x1p-141f, 0x1p-147f, 0x1p-126f});
}

LESSON_CASE("more weights than 1,024 blocks have threads") {
  grade(kThreadsOfGrid + 301, 0.125f);
}

BENCH_CASE("n = 65,536") {
  grade(65'536, 0.125f);
}
