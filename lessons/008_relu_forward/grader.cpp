// 008 relu_forward: y = max(x, 0), NaN stays NaN
#include "testing/grader.h"

#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void grade(int n, Values values = {}) {
  Trial trial{{"n", n}};
  const auto x = trial.input("x", {{"i", n}}, std::move(values));
  const auto y = trial.output("y", {{"i", n}});
  trial.expect(y, oracle::relu_forward(x.values()));
  trial.mistake("drops-nan", y, [=](int i) { return x(i) > 0 ? x(i) : 0.0; });
  // In longer arrays the same elements may be missing for want of threads.
  if (n < 32) {
    trial.mistake("no-tail", y, [=](int i) -> Expected {
      return i < n / 4 * 4 ? Expected(x(i) < 0 ? 0.0 : x(i)) : Expected::unwritten();
    });
  }
  trial.mistake_if("unchecked-alignment", [](const Diagnostic& d) { return d.is("misaligned"); });
  trial.mistake_if("group-past-the-end", [=](const Diagnostic& d) {
    return d.is_out_of_global_bounds() && d.global_x(256) == n / 4;  // the group that is not whole
  });
  trial.call([&](cudaStream_t stream) { relu_forward(x, y, n, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: 18 hidden values") {
  grade(18, micro_batch::floats("Z"));
}

LESSON_CASE("0 to 9 elements") {
  for (int n = 0; n <= 9; ++n) grade(n);
}

LESSON_CASE("groups of four, warps and blocks, one less, one more") {
  for (const int n : {31, 32, 33, 127, 128, 129, 255, 256, 257, 1022, 1023, 1024, 1025, 4099}) {
    grade(n);
  }
}

LESSON_CASE("sizes at random") {
  Random random = case_random();
  for (int k = 0; k < 4; ++k) grade(random.integer(10, 3000));
}

LESSON_CASE("NaN, infinity and zero, in groups and in the tail") {
  Random random = case_random();
  const Values special = {kNan, -kNan, kInfinity, -kInfinity, 0.0f, -0.0f};
  for (const int n : {6, 7, 9, 70, 301}) {
    Values values = random.values(static_cast<std::size_t>(n));
    for (float& value : values) {
      if (random.coin()) value = special[static_cast<std::size_t>(random.integer(0, 5))];
    }
    values.front() = kNan;
    values.back() = kNan;
    grade(n, values);
  }
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(403, random.extremes(403, 3e38f));
}

LESSON_CASE("many elements") {
  grade(70'001);
}

BENCH_CASE("n = 1,048,576") {
  grade(1'048'576);
}
