// 011 gelu_backward: dx = dy * gelu'(x); finite for abs(x) up to 1e4 (forward: 1e20)
#include "testing/grader.h"

#include <cmath>

#include "oracle/gelu.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

// A known mistake, computed in double: what a float kernel makes of it lies about this close.
Expected roughly(double dy, double slope) {
  return Expected(dy * slope, 1e-5 * std::fabs(dy) * (1 + std::fabs(slope)));
}

void know_mistakes(Trial& trial, const Array<float>& dx, const Array<float>& x,
                   const Array<float>& dy) {
  trial.mistake("gate-alone", dx,
                [=](int i) { return roughly(dy[i], oracle::Gelu(x[i]).half_plus); });
  trial.mistake("no-inner-derivative", dx, [=](int i) {
    const oracle::Gelu g(x[i]);
    return roughly(dy[i], g.half_plus + 0.5 * x[i] * g.sech2);
  });
  trial.mistake("three-missing", dx, [=](int i) {
    const oracle::Gelu g(x[i]);
    const double inner = std::sqrt(2 / std::acos(-1.0)) * (1 + 0.044715 * x[i] * x[i]);
    return roughly(dy[i], g.half_plus + 0.5 * x[i] * g.sech2 * inner);
  });
  trial.mistake("no-dy", dx, [=](int i) { return roughly(1, oracle::Gelu(x[i]).slope); });
  trial.mistake("erf-slope", dx, [=](int i) {
    const double density = std::exp(-0.5 * x[i] * x[i]) / std::sqrt(2 * std::acos(-1.0));
    return roughly(dy[i], 0.5 * (1 + std::erf(x[i] / std::sqrt(2.0))) + x[i] * density);
  });
  trial.mistake("infinity-over-infinity", dx, [=](int i) -> Expected {
    const oracle::Gelu g(x[i]);
    if (g.u > 44) return std::nan("");
    return roughly(dy[i], g.slope);
  });
}

void grade(int n, Values x_values = {}, Values dy_values = {}) {
  Trial trial{{"n", n}};
  const auto x = trial.input("x", {{"i", n}}, std::move(x_values));
  const auto dy = trial.input("dy", {{"i", n}}, std::move(dy_values));
  const auto dx = trial.output("dx", {{"i", n}});
  trial.expect(dx, oracle::gelu_backward(x.values(), dy.values()));
  know_mistakes(trial, dx, x, dy);
  trial.call([&](cudaStream_t stream) { gelu_backward(x, dy, dx, n, stream); });
}

void grade(Values x_values) {
  const int n = static_cast<int>(x_values.size());
  grade(n, std::move(x_values));
}

// Both signs of each.
Values with_signs(const Values& sizes) {
  Values result;
  for (const float size : sizes) {
    result.push_back(size);
    result.push_back(-size);
  }
  return result;
}

}  // namespace

LESSON_CASE("the lesson's example: expert 0's hidden values and their gradient") {
  grade(micro_batch::example_int("011_gelu_backward", "n"),
        micro_batch::example("011_gelu_backward", "x"),
        micro_batch::example("011_gelu_backward", "dy"));
}

LESSON_CASE("no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(n);
}

LESSON_CASE("where the slope turns: 0.5 < |x| < 3, full binary32 accuracy") {
  grade(with_signs(case_random().uniforms(120, 0.5f, 3.0f)));
  // The lowest point of GELU, its steepest and its most falling.
  grade(with_signs({0.75246f, 1.4185f, 1.0f}));
}

LESSON_CASE("against central differences of the forward") {
  // With h = 1e-4 the difference errs by h^2/6 times a third derivative below 3, and by rounding.
  const double h = 1e-4, difference_error = 1e-8;
  Values x_values;
  for (int i = 0; i <= 320; ++i) x_values.push_back(-4.0f + 0.025f * static_cast<float>(i));
  const int n = static_cast<int>(x_values.size());
  Trial trial{{"n", n}};
  const auto x = trial.input("x", {{"i", n}}, x_values);
  const auto dy = trial.input("dy", {{"i", n}});
  const auto dx = trial.output("dx", {{"i", n}});
  const oracle::Bounded exact = oracle::gelu_backward(x.values(), dy.values());
  trial.expect(dx, [=](int i) {
    const double slope = (oracle::Gelu(x[i] + h).value - oracle::Gelu(x[i] - h).value) / (2 * h);
    return Expected(dy[i] * slope,
                    exact.bound[static_cast<std::size_t>(i)] + std::fabs(dy[i]) * difference_error);
  });
  know_mistakes(trial, dx, x, dy);
  trial.call([&](cudaStream_t stream) { gelu_backward(x, dy, dx, n, stream); });
}

LESSON_CASE("far out, up to 1e4: slope 1 on the right, 0 on the left") {
  grade(with_signs({4.5f, 5, 5.5f, 6, 9, 10.5f, 12, 20, 44, 89, 104, 1e3f, 9.9e3f, 1e4f}));
}

LESSON_CASE("tiny values and zeros") {
  grade(with_signs({0, 0x1p-149f, 0x1p-126f, 1e-30f, 1e-8f, 1e-4f, 0x1p-12f, 0.01f}));
}

LESSON_CASE("gradients of every size") {
  Random random = case_random();
  grade(300, random.uniforms(300, -4, 4), random.extremes(300));
  grade(60, random.uniforms(60, -8, 8), Values(60, 0.0f));
}

LESSON_CASE("many blocks") {
  grade(9'001, case_random().normals(9'001, 0, 2));
}

BENCH_CASE("n = 262,144") {
  grade(262'144);
}
