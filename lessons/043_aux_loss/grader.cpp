// 043 aux_loss: *loss = alpha E sum over e of f_e P_e
#include "testing/grader.h"

#include <algorithm>
#include <numeric>

using namespace testing;

namespace {

using Values = std::vector<float>;

// E shares that add up to 1.
Values shares(Random& random, int E) {
  Values result = random.uniforms(static_cast<std::size_t>(E), 0.05f, 1);
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (float& value : result) value = static_cast<float>(value / sum);
  return result;
}

void grade(Values f, Values p, float alpha) {
  const int E = static_cast<int>(f.size());
  Trial trial{{"E", E}};
  const auto fractions = trial.input("fractions", {{"e", E}}, std::move(f));
  const auto means = trial.input("means", {{"e", E}}, std::move(p));
  const auto loss = trial.output("loss", {});
  trial.expect(loss, oracle::aux_loss(fractions.values(), means.values(), alpha));

  // The products of those experts that `step` meets, times a factor.
  const auto part = [=](double factor, int from, int to, int step) {
    Sum sum;
    for (int e = from; e < to; e += step) sum += factor * (fractions[e] * means[e]);
    // Factors that a kernel multiplies in afterwards round once each.
    return Expected(sum.value(), 2 * sum.bound());
  };
  const double scale = static_cast<double>(alpha) * E;
  trial.mistake("experts-forgotten", loss, [=] { return part(alpha, 0, E, 1); });
  trial.mistake("experts-forgotten", loss,
                [=] { return part(alpha / static_cast<double>(E), 0, E, 1); });
  trial.mistake("alpha-forgotten", loss, [=] { return part(E, 0, E, 1); });
  trial.mistake("no-walk", loss, [=] { return part(scale, 0, std::min(E, 32), 1); });
  trial.mistake("own-lane-only", loss, [=] { return part(scale, 0, E, 32); });
  trial.mistake_if("shuffle-by-some", [](const Diagnostic& d) {
    return d.message.find("which never arrive") != std::string::npos;
  });

  trial.call([&](cudaStream_t stream) { aux_loss(fractions, means, loss, E, alpha, stream); });
}

void grade(int E, float alpha) {
  Random random = case_random();
  const Values f = shares(random, E);
  grade(f, shares(random, E), alpha);
}

}  // namespace

LESSON_CASE("the lesson's example: 4 experts, alpha = 0.1") {
  grade(micro_batch::floats("fractions"), micro_batch::floats("mean_probs"), 0.1f);
}

LESSON_CASE("the other two of the lesson: exactly 1 without balance, and below 1") {
  const float third = 1 / 3.0f;
  grade({2 / 3.0f, third, 0}, {third, third, third}, 1);
  grade({0.5f, 0.5f, 0}, {0.2f, 0.4005f, 0.3995f}, 1);
}

LESSON_CASE("one expert: the loss is alpha") {
  grade({1}, {1}, 0.25f);
  grade(1, 3);
}

LESSON_CASE("a warp of experts, one less, one more") {
  for (const int E : {2, 3, 7, 16, 17, 31, 32, 33, 63, 64, 65}) grade(E, 0.5f);
}

LESSON_CASE("up to 1,024 experts") {
  for (const int E : {127, 129, 255, 256, 257, 513, 769, 1023, 1024}) grade(E, 0.01f);
}

LESSON_CASE("one expert takes all: alpha E, or nothing") {
  Random random = case_random();
  for (const int e : {0, 33, 69}) {
    Values f(70, 0.0f);
    f[static_cast<std::size_t>(e)] = 1;
    grade(f, shares(random, 70), 2);
    grade(f, f, 1);
    Values others(70, 1 / 64.0f);
    others[static_cast<std::size_t>(e)] = 0;
    grade(f, others, 1);  // exactly 0
  }
}

LESSON_CASE("alpha from 0 to large") {
  for (const float alpha : {0.0f, 0x1p-20f, 1.0f, 1000.0f}) grade(45, alpha);
}

LESSON_CASE("full binary32 accuracy") {
  for (const int E : {1, 2, 3, 8, 32}) {
    Random random = case_random();
    const std::size_t n = static_cast<std::size_t>(E);
    const Values f = random.values(n);
    grade(f, random.values(n), random.uniform(0.5f, 2));
  }
}

BENCH_CASE("E = 1,024") {
  grade(1024, 0.01f);
}
