// 009 relu_backward: dx = dy where x > 0, else exactly 0
#include "testing/grader.h"

#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void grade(int n, Values values = {}, Values gradients = {}) {
  Trial trial{{"n", n}};
  const auto x = trial.input("x", {{"i", n}}, std::move(values));
  const auto dy = trial.input("dy", {{"i", n}}, std::move(gradients));
  const auto dx = trial.output("dx", {{"i", n}});
  trial.expect(dx, oracle::relu_backward(x.values(), dy.values()));
  trial.mistake("multiplies", dx, [=](int i) { return (x(i) > 0 ? 1.0 : 0.0) * dy(i); });
  trial.mistake("open-at-zero", dx, [=](int i) { return x(i) >= 0 ? dy(i) : 0.0; });
  trial.mistake("nan-opens", dx, [=](int i) { return x(i) <= 0 ? 0.0 : dy(i); });
  trial.mistake("other-gate", dx, [=](int i) { return dy(i) > 0 ? dy(i) : 0.0; });
  trial.mistake("zeros-left-out", dx, [=](int i) -> Expected {
    return x(i) > 0 ? Expected(dy(i)) : Expected::unwritten();
  });
  trial.mistake_if("accumulates", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("dx[") != std::string::npos;
  });
  if (n > 200'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { relu_backward(x, dy, dx, n, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 18 hidden values") {
  grade(18, micro_batch::floats("Z"), micro_batch::floats("dA"));
}

LESSON_CASE("0, 1, 2, 3 elements") {
  for (int n = 0; n <= 3; ++n) grade(n);
}

LESSON_CASE("warps and blocks, one less, one more") {
  for (const int n : {31, 32, 33, 127, 255, 256, 257, 511, 1023, 1024, 1025}) grade(n);
}

LESSON_CASE("sizes at random") {
  Random random = case_random();
  for (int k = 0; k < 4; ++k) grade(random.integer(4, 3000));
}

LESSON_CASE("at the kink: zeros, and the smallest numbers on both sides") {
  const Values x = {0.0f,      -0.0f,      0x1p-149f, -0x1p-149f,
                    0x1p-126f, -0x1p-126f, kInfinity, -kInfinity};
  grade(8, x);
  grade(8, x, Values(8, -1.0f));
}

LESSON_CASE("every kind of dy at every kind of x") {
  const Values kinds = {kNan, -kNan, kInfinity, -kInfinity, 0.0f,      -0.0f,
                        1.5f, -1.5f, 3e38f,     -3e38f,     0x1p-149f, -0x1p-149f};
  Values x, dy;
  for (const float value : kinds) {
    for (const float gradient : kinds) {
      x.push_back(value);
      dy.push_back(gradient);
    }
  }
  grade(static_cast<int>(x.size()), x, dy);
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(403, random.extremes(403, 3e38f), random.extremes(403, 3e38f));
}

LESSON_CASE("the forward pass moved by a little: central differences") {
  // Away from the kink relu is a straight line, so the difference quotient is the slope itself.
  Random random = case_random();
  const std::size_t n = 60;
  const Values x = random.values(n), v = random.values(n), w = random.values(n);
  const double h = 0x1p-10;
  std::vector<double> up, down;
  for (std::size_t i = 0; i < n; ++i) {
    up.push_back(x[i] + h * v[i]);
    down.push_back(x[i] - h * v[i]);
  }
  const auto above = oracle::relu_forward(up), below = oracle::relu_forward(down);
  const auto dx = oracle::relu_backward(x, w);
  double forward = 0, backward = 0;
  for (std::size_t i = 0; i < n; ++i) {
    forward += (above.value[i] - below.value[i]) / (2 * h) * w[i];
    backward += v[i] * dx.value[i];
  }
  CHECK(std::fabs(forward - backward) <= 1e-9);
  grade(static_cast<int>(n), x, w);
}

LESSON_CASE("more elements than 1,024 blocks have threads") {
  grade(262'144 + 301);
}

BENCH_CASE("n = 1,000,000") {
  grade(1'000'000);
}
