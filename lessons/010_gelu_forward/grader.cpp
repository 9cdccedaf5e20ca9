// 010 gelu_forward: tanh GELU
#include "testing/grader.h"

#include <cmath>

#include "oracle/gelu.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

const double kRoot = std::sqrt(2 / std::acos(-1.0));

// A known mistake, computed in double: what a float kernel makes of it lies about this close.
Expected roughly(double value, double x) {
  return Expected(value, 4e-6 * std::fabs(x) + 1e-44);
}

// Another formula. Near 0 and far out all of them come to the same: named only where some x tells
// it from the right one.
template <class Formula>
void know_formula(Trial& trial, const char* slug, const Array<float>& y, const Array<float>& x,
                  Formula formula) {
  const oracle::Bounded right = oracle::gelu_forward(x.values());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (roughly(formula(x[i]), 2 * x[i]).admits(right.value[i])) continue;
    trial.mistake(slug, y, [=](int at) { return roughly(formula(x[at]), x[at]); });
    return;
  }
}

// tanh from exponentials, of which one is infinite where `spoiled` says so of u.
template <class Spoiled>
void know_infinity(Trial& trial, const Array<float>& y, const Array<float>& x, Spoiled spoiled) {
  const oracle::Bounded right = oracle::gelu_forward(x.values());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!spoiled(oracle::Gelu(x[i]).u)) continue;
    trial.mistake("infinity-over-infinity", y, [=](int at) -> Expected {
      if (spoiled(oracle::Gelu(x[at]).u)) return std::nan("");
      const auto k = static_cast<std::size_t>(at);
      return Expected(right.value[k], right.bound[k] + 4e-6);
    });
    return;
  }
}

void know_mistakes(Trial& trial, const Array<float>& y, const Array<float>& x) {
  know_formula(trial, "erf-form", y, x,
               [](double v) { return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))); });
  know_formula(trial, "quick-form", y, x, [](double v) { return v / (1 + std::exp(-1.702 * v)); });
  know_formula(trial, "cube-outside", y, x, [](double v) {
    return 0.5 * v * (1 + std::tanh(kRoot * v + 0.044715 * v * v * v));
  });
  trial.mistake("half-of-integers", y, [](int) { return 0; });
  // (e^2u - 1) / (e^2u + 1), far out on the right.
  know_infinity(trial, y, x, [](double u) { return u > 44; });
  // (e^u - e^-u) / (e^u + e^-u), on both sides.
  know_infinity(trial, y, x, [](double u) { return std::fabs(u) > 88.7; });
}

void grade(int n, Values values = {}) {
  Trial trial{{"n", n}};
  const auto x = trial.input("x", {{"i", n}}, std::move(values));
  const auto y = trial.output("y", {{"i", n}});
  trial.expect(y, oracle::gelu_forward(x.values()));
  know_mistakes(trial, y, x);
  trial.call([&](cudaStream_t stream) { gelu_forward(x, y, n, stream); });
}

void grade(Values values) {
  const int n = static_cast<int>(values.size());
  grade(n, std::move(values));
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

LESSON_CASE("the lesson's example: expert 0's hidden values") {
  grade(micro_batch::example_int("010_gelu_forward", "n"),
        micro_batch::example("010_gelu_forward", "x"));
}

LESSON_CASE("no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(n);
}

LESSON_CASE("where the curve bends: 0.5 < |x| < 3, full binary32 accuracy") {
  grade(with_signs(case_random().uniforms(120, 0.5f, 3.0f)));
}

LESSON_CASE("from -8 to 8, in order") {
  Values sweep;
  for (int i = 0; i <= 400; ++i) sweep.push_back(-8.0f + 0.04f * static_cast<float>(i));
  grade(sweep);
}

LESSON_CASE("far out, up to 1e20") {
  grade(with_signs({6, 9, 10.5f, 20, 44, 89, 104, 1e4f, 1e10f, 6.9e12f, 7.1e12f, 1.9e13f, 2.1e13f,
                    1e18f, 1e20f}));
}

LESSON_CASE("tiny values and zeros") {
  grade(with_signs({0, 0x1p-149f, 0x1p-140f, 0x1.8p-127f, 0x1p-126f, 1e-30f, 1e-20f, 1e-8f, 1e-4f,
                    0x1p-12f, 0.01f}));
}

LESSON_CASE("many blocks") {
  grade(9'001, case_random().normals(9'001, 0, 2));
}

BENCH_CASE("n = 262,144") {
  grade(262'144);
}
