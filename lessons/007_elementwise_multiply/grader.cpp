// 007 elementwise_multiply: out = a * b elementwise; may alias
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

// The planted faults and what else is easily got wrong. `left` is what an element holds that
// nothing writes.
template <class A, class B, class Left>
void know_mistakes(Trial& trial, const Array<float>& out, const A& a, const B& b, Left left) {
  const int n = static_cast<int>(out.size());
  // Too few elements for one block: nothing ran, and no error is left.
  if (n < 256) trial.mistake("error-thrown-away", out, [=](int i) { return left(i); });
  trial.mistake("floor-grid", out, [=](int i) -> Expected {
    return i < n / 256 * 256 ? Expected(static_cast<float>(a[i] * b[i])) : left(i);
  });
  trial.mistake_if("floor-grid",
                   [=](const Diagnostic& d) { return n > 0 && n < 256 && d.is("launch_error"); });
  trial.mistake_if("missing-guard",
                   [](const Diagnostic& d) { return d.is_out_of_global_bounds(); });
  trial.mistake_if("default-stream", [](const Diagnostic& d) { return d.is("wrong_stream"); });
}

void grade(int n, Values a_values = {}, Values b_values = {}) {
  Trial trial{{"n", n}};
  const auto a = trial.input("a", {{"i", n}}, std::move(a_values));
  const auto b = trial.input("b", {{"i", n}}, std::move(b_values));
  const auto out = trial.output("out", {{"i", n}});
  // One product, correctly rounded: to the last bit. (As a double it is exact.)
  trial.expect(out, [=](int i) { return static_cast<float>(a[i] * b[i]); });
  know_mistakes(trial, out, a, b, [](int) { return Expected::unwritten(); });
  trial.call([&](cudaStream_t stream) { elementwise_multiply(a, b, out, n, stream); });
}

void grade_square(int n) {
  Trial trial{{"n", n}};
  const auto a = trial.input("a", {{"i", n}});
  const auto out = trial.output("out", {{"i", n}});
  trial.expect(out, [=](int i) { return static_cast<float>(a[i] * a[i]); });
  know_mistakes(trial, out, a, a, [](int) { return Expected::unwritten(); });
  trial.call([&](cudaStream_t stream) { elementwise_multiply(a, a, out, n, stream); });
}

void grade_in_place(int n, bool out_is_a) {
  Trial trial{{"n", n}};
  const auto other = trial.input(out_is_a ? "b" : "a", {{"i", n}});
  const auto out = trial.in_place("out", {{"i", n}});
  trial.expect(out, [=](int i) { return static_cast<float>(out[i] * other[i]); });
  know_mistakes(trial, out, out, other, [=](int i) { return Expected(out[i]); });
  trial.call([&](cudaStream_t stream) {
    if (out_is_a)
      elementwise_multiply(out, other, out, n, stream);
    else
      elementwise_multiply(other, out, out, n, stream);
  });
}

void grade_square_in_place(int n) {
  Trial trial{{"n", n}};
  const auto out = trial.in_place("out", {{"i", n}});
  trial.expect(out, [=](int i) { return static_cast<float>(out[i] * out[i]); });
  know_mistakes(trial, out, out, out, [=](int i) { return Expected(out[i]); });
  trial.call([&](cudaStream_t stream) { elementwise_multiply(out, out, out, n, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: the rows of expert 0, weighted by their gates") {
  grade(micro_batch::example_int("007_elementwise_multiply", "n"),
        micro_batch::example("007_elementwise_multiply", "a"),
        micro_batch::example("007_elementwise_multiply", "b"));
}

LESSON_CASE("600 elements: two blocks and a bit") {
  grade(600);
}

LESSON_CASE("no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031, 2048, 4099}) grade(n);
}

LESSON_CASE("out, a and b may be the same array") {
  for (const int n : {1, 33, 700}) {
    grade_in_place(n, true);
    grade_in_place(n, false);
    grade_square(n);
    grade_square_in_place(n);
  }
  grade_square_in_place(0);
}

LESSON_CASE("values of every size, and masks") {
  Random random = case_random();
  grade(300, random.extremes(300), random.extremes(300));
  grade(300, random.values(300), random.whole_numbers(300, 0, 1));
  // Products that only just stay above 0, and one that rounds to it.
  grade(4, {0x1p-80f, 0x1.8p-75f, 0x1p-75f, 0x1p-126f},
        {0x1p-60f, 0x1p-74f, 0x1p-80f, 0x1.fffffep-1f});
}

LESSON_CASE("many blocks") {
  grade(70'001);
}

BENCH_CASE("n = 262,144") {
  grade(262'144);
}
