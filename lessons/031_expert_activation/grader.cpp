// 031 expert_activation: A = act(Z) by 008 or 010; Z is kept for the backward
#include "testing/grader.h"

#include <cmath>

#include "oracle/gelu.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kThreadsOfGrid = 256 * 1024;  // the stub launches no more

constexpr Activation kBoth[] = {Activation::relu, Activation::gelu};

Activation other(Activation act) {
  return act == Activation::relu ? Activation::gelu : Activation::relu;
}

void know_mistakes(Trial& trial, const Array<float>& A, const Array<float>& Z, Activation act) {
  const oracle::Bounded wanted = oracle::expert_activation(Z.values(), act);
  trial.mistake("act-ignored", A, oracle::expert_activation(Z.values(), other(act)));
  trial.mistake("act-twice", A, [=](int i) -> Expected {
    const double once = wanted.value[static_cast<std::size_t>(i)];
    return Expected(oracle::Gelu(once).value, 4e-6 * (1 + std::fabs(once)));
  });
  trial.mistake("one-element-each", A, [=](int i) -> Expected {
    if (i >= kThreadsOfGrid) return Expected::unwritten();
    const auto at = static_cast<std::size_t>(i);
    return Expected(wanted.value[at], wanted.bound[at]);
  });
  trial.mistake_if("in-place", [](const Diagnostic& d) { return d.is("input_written"); });
}

void grade(Activation act, int n, Values values = {}) {
  Trial trial{{"n", n}, {"gelu", act == Activation::gelu}};
  const auto Z = trial.input("Z", {{"i", n}}, std::move(values));
  const auto A = trial.output("A", {{"i", n}});
  trial.expect(A, oracle::expert_activation(Z.values(), act));
  know_mistakes(trial, A, Z, act);
  if (n > 200'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_activation(Z, A, n, act, stream); });
}

void grade(Activation act, Values values) {
  const int n = static_cast<int>(values.size());
  grade(act, n, std::move(values));
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

const Values kFarOut = {6, 9, 10.5f, 20, 44, 89, 104, 1e4f, 1e10f, 6.9e12f, 2.1e13f, 1e18f, 1e20f};
const Values kTiny = {0, 0x1p-149f, 0x1p-140f, 0x1p-126f, 1e-30f, 1e-8f, 1e-4f, 0x1p-12f, 0.01f};

}  // namespace

LESSON_CASE("the micro-batch with ReLU: 18 hidden values") {
  grade(Activation::relu, 18, micro_batch::floats("Z"));
}

LESSON_CASE("the micro-batch with GELU: 18 hidden values") {
  grade(Activation::gelu, 18, micro_batch::floats("Z"));
}

LESSON_CASE("ReLU: no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(Activation::relu, n);
}

LESSON_CASE("GELU: no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(Activation::gelu, n);
}

LESSON_CASE("GELU where the curve bends: 0.5 < |z| < 3, full binary32 accuracy") {
  grade(Activation::gelu, with_signs(case_random().uniforms(120, 0.5f, 3.0f)));
}

LESSON_CASE("far out, up to 1e20") {
  for (const Activation act : kBoth) grade(act, with_signs(kFarOut));
}

LESSON_CASE("tiny values and zeros") {
  for (const Activation act : kBoth) grade(act, with_signs(kTiny));
}

LESSON_CASE("one after the other: neither call leaves a trace for the next") {
  Random random = case_random();
  for (const Activation act :
       {Activation::gelu, Activation::relu, Activation::relu, Activation::gelu}) {
    grade(act, random.integer(4, 900));
  }
}

LESSON_CASE("more elements than 1,024 blocks have threads") {
  grade(Activation::relu, kThreadsOfGrid + 301);
}

BENCH_CASE("n = 262,144, GELU") {
  grade(Activation::gelu, 262'144);
}
