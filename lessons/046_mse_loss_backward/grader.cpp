// 046 mse_loss_backward: dy[i] = 2 (y[i] - target[i]) / n
#include "testing/grader.h"

#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kMany = 256 * 1024 + 301;  // more elements than the stub's largest grid has threads

void know_mistakes(Trial& trial, const Array<float>& dy, const Array<float>& y,
                   const Array<float>& target, int n) {
  const oracle::Bounded wanted = oracle::mse_loss_backward(y.values(), target.values());
  const auto times = [=](double factor) {
    return [=](int i) -> Expected {
      const auto at = static_cast<std::size_t>(i);
      return {factor * wanted.value[at], std::fabs(factor) * wanted.bound[at]};
    };
  };
  trial.mistake("no-two", dy, times(0.5));
  trial.mistake("no-mean", dy, times(n));
  trial.mistake("no-mean", dy, times(n / 2.0));
  trial.mistake("wrong-sign", dy, times(-1));
  if (n > 2) trial.mistake("integer-division", dy, [](int) { return 0; });
  if (n == 1 || n == 2) trial.mistake("integer-division", dy, times(n * (2 / n) / 2.0));
  trial.mistake_if("accumulates", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("dy[") != std::string::npos;
  });
}

void grade(int n, Values outputs = {}, Values targets = {}) {
  Trial trial{{"n", n}};
  const auto y = trial.input("y", {{"i", n}}, std::move(outputs));
  const auto target = trial.input("target", {{"i", n}}, std::move(targets));
  const auto dy = trial.output("dy", {{"i", n}});
  trial.expect(dy, oracle::mse_loss_backward(y.values(), target.values()));
  know_mistakes(trial, dy, y, target, n);
  if (n > 5'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { mse_loss_backward(y, target, dy, n, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 3 tokens, 2 columns") {
  grade(6, micro_batch::floats("out"), micro_batch::floats("target"));
}

LESSON_CASE("0, 1, 2, 3 elements") {
  for (int n = 0; n <= 3; ++n) grade(n);
}

LESSON_CASE("warps and blocks, one less, one more") {
  for (const int n : {31, 32, 33, 255, 256, 257, 511, 1023, 1024, 1025}) grade(n);
}

LESSON_CASE("sizes at random") {
  Random random = case_random();
  for (int k = 0; k < 3; ++k) grade(random.integer(4, 3000));
}

LESSON_CASE("a target that is hit: exactly 0") {
  Random random = case_random();
  const Values targets = random.values(300);
  Values outputs = targets;
  for (std::size_t i = 0; i < outputs.size(); i += 7) outputs[i] = random.value();
  grade(300, outputs, targets);
}

LESSON_CASE("large numbers with small differences") {
  Random random = case_random();
  Values outputs = random.uniforms(403, 1000, 2000), targets;
  for (const float value : outputs) targets.push_back(value + random.uniform(-1, 1));
  grade(403, outputs, targets);
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(211, random.extremes(211, 1e37f), random.extremes(211, 1e37f));
}

LESSON_CASE("the loss moved by a little: central differences") {
  // The loss is a parabola in each element, so the quotient is its slope but for rounding.
  Random random = case_random();
  const int n = 60;
  const auto count = static_cast<std::size_t>(n);
  const Values y = random.values(count), target = random.values(count), v = random.values(count);
  const double h = 0x1p-10;
  std::vector<double> up, down;
  for (std::size_t i = 0; i < count; ++i) {
    up.push_back(y[i] + h * v[i]);
    down.push_back(y[i] - h * v[i]);
  }
  const double forward =
      (oracle::mse_loss(up, target).value[0] - oracle::mse_loss(down, target).value[0]) / (2 * h);
  const auto dy = oracle::mse_loss_backward(y, target);
  double backward = 0;
  for (std::size_t i = 0; i < count; ++i) backward += v[i] * dy.value[i];
  CHECK(std::fabs(forward - backward) <= 1e-9);
  grade(n, y, target);
}

LESSON_CASE("more elements than 1,024 blocks have threads") {
  grade(kMany);
}

BENCH_CASE("n = 65,536") {
  grade(65'536);
}
