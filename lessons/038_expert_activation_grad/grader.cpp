// 038 expert_activation_grad: dZ = dA * act'(Z)
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

// A known mistake, computed in double: what a float kernel makes of it lies about this close.
Expected roughly(double da, double slope) {
  return Expected(da * slope, 1e-5 * std::fabs(da) * (1 + std::fabs(slope)));
}

void know_mistakes(Trial& trial, const Array<float>& dZ, const Array<float>& Z,
                   const Array<float>& dA, Activation act) {
  const Values z = Z.values(), da = dA.values();
  const bool gelu = act == Activation::gelu;
  trial.mistake("act-ignored", dZ, oracle::expert_activation_grad(z, da, other(act)));
  trial.mistake("slope-at-a", dZ, [=](int i) {
    const double a = oracle::Gelu(Z[i]).value;
    return gelu ? roughly(dA[i], oracle::Gelu(a).slope) : Expected(Z[i] > 0 ? dA[i] : 0.0);
  });
  trial.mistake("forward-again", dZ, [=](int i) {
    return roughly(dA[i], gelu ? oracle::Gelu(Z[i]).value : std::fmax(Z[i], 0.0));
  });
  trial.mistake("open-at-zero", dZ, [=](int i) -> Expected {
    return gelu ? roughly(dA[i], oracle::Gelu(Z[i]).slope) : Expected(Z[i] >= 0 ? dA[i] : 0.0);
  });
  trial.mistake_if("accumulates", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("dZ[") != std::string::npos;
  });
}

void grade(Activation act, int n, Values values = {}, Values gradients = {}) {
  Trial trial{{"n", n}, {"gelu", act == Activation::gelu}};
  const auto Z = trial.input("Z", {{"i", n}}, std::move(values));
  const auto dA = trial.input("dA", {{"i", n}}, std::move(gradients));
  const auto dZ = trial.output("dZ", {{"i", n}});
  trial.expect(dZ, oracle::expert_activation_grad(Z.values(), dA.values(), act));
  know_mistakes(trial, dZ, Z, dA, act);
  if (n > 200'000) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) { expert_activation_grad(Z, dA, dZ, n, act, stream); });
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

const Values kFarOut = {4.5f, 5, 5.5f, 6, 9, 10.5f, 12, 20, 44, 89, 104, 1e3f, 9.9e3f, 1e4f};
const Values kTiny = {0, 0x1p-149f, 0x1p-140f, 0x1p-126f, 1e-30f, 1e-8f, 1e-4f, 0x1p-12f, 0.01f};

}  // namespace

LESSON_CASE("the micro-batch with ReLU: 18 hidden values") {
  grade(Activation::relu, 18, micro_batch::floats("Z"), micro_batch::floats("dA"));
}

LESSON_CASE("the micro-batch with GELU: 18 hidden values") {
  grade(Activation::gelu, 18, micro_batch::floats("Z"), micro_batch::floats("dA"));
}

LESSON_CASE("ReLU: no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(Activation::relu, n);
}

LESSON_CASE("GELU: no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(Activation::gelu, n);
}

LESSON_CASE("GELU where the slope turns: 0.5 < |z| < 3, full binary32 accuracy") {
  grade(Activation::gelu, with_signs(case_random().uniforms(120, 0.5f, 3.0f)));
}

LESSON_CASE("far out, up to 1e4: slope 1 on the right, 0 on the left") {
  for (const Activation act : kBoth) grade(act, with_signs(kFarOut));
}

LESSON_CASE("tiny values and zeros") {
  for (const Activation act : kBoth) grade(act, with_signs(kTiny));
}

LESSON_CASE("ReLU at the kink: zeros, and the smallest numbers on both sides") {
  const Values z = {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1p-126f, -0x1p-126f};
  grade(Activation::relu, 6, z);
  grade(Activation::relu, 6, z, Values(6, -1.0f));
}

LESSON_CASE("gradients of every size") {
  Random random = case_random();
  for (const Activation act : kBoth) {
    grade(act, 300, random.uniforms(300, -4, 4), random.extremes(300));
  }
}

LESSON_CASE("the forward moved by a little: central differences") {
  const double h = 1e-4;
  std::vector<double> z, slopes;
  for (int i = -160; i <= 160; ++i) {
    z.push_back(0.025 * i);
    slopes.push_back((oracle::Gelu(z.back() + h).value - oracle::Gelu(z.back() - h).value) /
                     (2 * h));
  }
  const auto dz =
      oracle::expert_activation_grad(z, std::vector<double>(z.size(), 1.0), Activation::gelu);
  for (std::size_t i = 0; i < z.size(); ++i) {
    CHECK(std::fabs(dz.value[i] - slopes[i]) <= 1e-8);
  }
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
