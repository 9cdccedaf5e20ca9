// 006 elementwise_add: out = a + b; may alias
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;

constexpr int kThreadsOfGrid = 256 * 1024;  // the stub launches no more

// `left` is what an element holds that nothing writes.
template <class A, class B, class Left>
void know_mistakes(Trial& trial, const Array<float>& out, const A& a, const B& b, Left left) {
  trial.mistake("one-element-each", out, [=](int i) -> Expected {
    return i < kThreadsOfGrid ? Expected(static_cast<float>(a[i] + b[i])) : left(i);
  });
  trial.mistake_if("stride-of-block", [](const Diagnostic& d) {
    return d.is("race") && d.reach == Diagnostic::Reach::grid;
  });
}

void grade(int n, Values a_values = {}, Values b_values = {}, bool big = false) {
  Trial trial{{"n", n}};
  const auto a = trial.input("a", {{"i", n}}, std::move(a_values));
  const auto b = trial.input("b", {{"i", n}}, std::move(b_values));
  const auto out = trial.output("out", {{"i", n}});
  // One addition, correctly rounded: to the last bit.
  trial.expect(out, [=](int i) { return static_cast<float>(a[i] + b[i]); });
  know_mistakes(trial, out, a, b, [](int) { return Expected::unwritten(); });
  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { elementwise_add(a, b, out, n, stream); });
}

enum class Same { out_and_a, out_and_b, a_and_b, all };

void grade_aliased(int n, Same same) {
  Trial trial{{"n", n}};
  if (same == Same::a_and_b) {
    const auto a = trial.input("a", {{"i", n}});
    const auto out = trial.output("out", {{"i", n}});
    trial.expect(out, [=](int i) { return static_cast<float>(a[i] + a[i]); });
    trial.call([&](cudaStream_t stream) { elementwise_add(a, a, out, n, stream); });
    return;
  }
  const auto out = trial.in_place("out", {{"i", n}});
  if (same == Same::all) {
    trial.expect(out, [=](int i) { return static_cast<float>(out[i] + out[i]); });
    know_mistakes(trial, out, out, out, [=](int i) { return Expected(out[i]); });
    trial.call([&](cudaStream_t stream) { elementwise_add(out, out, out, n, stream); });
    return;
  }
  const auto other = trial.input(same == Same::out_and_a ? "b" : "a", {{"i", n}});
  trial.expect(out, [=](int i) { return static_cast<float>(out[i] + other[i]); });
  know_mistakes(trial, out, out, other, [=](int i) { return Expected(out[i]); });
  trial.call([&](cudaStream_t stream) {
    if (same == Same::out_and_a)
      elementwise_add(out, other, out, n, stream);
    else
      elementwise_add(other, out, out, n, stream);
  });
}

// ---- the exercise's own check ----

using Check = bool(const float*, const float*, const float*, int);

// Hands host arrays to the learner's check and fails the case when it judges them wrongly.
class Judge {
 public:
  Judge(Check* check, Values a, Values b) : check_(check), a_(std::move(a)), b_(std::move(b)) {}

  Values sums() const {
    Values result(a_.size());
    for (std::size_t i = 0; i < a_.size(); ++i) result[i] = a_[i] + b_[i];
    return result;
  }

  void accepts() const {
    if (judgement(sums())) return;
    fail_case("check_elementwise_add returned false for a right result: n = " + count() +
              ", and every element is the sum, rounded once.\n"
              "Compute the sum as a float, as the kernel does.");
  }

  // `change` makes one wrong result of the right one; `what` says how.
  template <class Change>
  void rejects(const std::string& what, Change change, const std::string& mistake = {}) const {
    Values out = sums();
    change(out);
    if (!judgement(out)) return;
    fail_case("check_elementwise_add returned true for a wrong result: n = " + count() + ", " +
                  what + ".",
              mistake);
  }

 private:
  Check* check_;
  Values a_, b_;

  std::string count() const { return std::to_string(a_.size()); }
  bool judgement(const Values& out) const {
    return check_(a_.data(), b_.data(), out.data(), static_cast<int>(out.size()));
  }
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

LESSON_CASE("the lesson's example: what two experts send back to 3 tokens") {
  grade(micro_batch::example_int("006_elementwise_add", "n"),
        micro_batch::example("006_elementwise_add", "a"),
        micro_batch::example("006_elementwise_add", "b"));
}

LESSON_CASE("no element, one, a warp, a block, one less, one more") {
  for (const int n : {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1031}) grade(n);
}

LESSON_CASE("out, a and b may be the same array") {
  for (const int n : {1, 33, 700}) {
    grade_aliased(n, Same::out_and_a);
    grade_aliased(n, Same::out_and_b);
    grade_aliased(n, Same::a_and_b);
    grade_aliased(n, Same::all);
  }
  grade_aliased(0, Same::all);
}

LESSON_CASE("values of every size") {
  Random random = case_random();
  grade(300, random.extremes(300, 1e38f), random.extremes(300, 1e38f));
  grade(6, {0x1p-140f, 0x1p-149f, 0x1p-126f, -0.0f, 1.0f, 0x1p24f},
        {0x1p-149f, 0x1p-149f, -0x1p-127f, 0.0f, 0x1p-24f, 1.0f});
}

LESSON_CASE("more elements than the grid has threads") {
  // Two rounds: the last block owns the last element, so that a sample of the blocks covers it.
  grade(2 * kThreadsOfGrid, {}, {}, true);
}

LESSON_CASE("your check, on right results and on planted wrong ones") {
  const auto check = learner_check<Check>("check_elementwise_add");
  Random random = case_random();
  const auto values = [&](std::size_t n) {
    return Judge(check, random.values(n), random.values(n));
  };

  for (const std::size_t n : {0, 1, 2, 257}) values(n).accepts();
  Judge(check, random.extremes(300, 1e38f), random.extremes(300, 1e38f)).accepts();

  values(1).rejects("out[0] is 1 too large", [](Values& out) { out[0] += 1; });
  const Judge judge = values(300);
  judge.rejects("out[0] is 1 too small", [](Values& out) { out[0] -= 1; });
  judge.rejects("out[299], the last element, is 1 too large", [](Values& out) { out[299] += 1; });
  judge.rejects(
      "out[299] was never written and holds NaN", [](Values& out) { out[299] = kNan; },
      "nan-passes");
  judge.rejects(
      "nothing from element 256 on was written, so it holds NaN",
      [](Values& out) { std::fill(out.begin() + 256, out.end(), kNan); }, "nan-passes");
  judge.rejects(
      "out[137] is off by one bit, the smallest error that a float can have",
      [](Values& out) { out[137] = std::nextafter(out[137], kInfinity); }, "tolerance");
  judge.rejects(
      "out[138] is off by one bit, the smallest error that a float can have",
      [](Values& out) { out[138] = std::nextafter(out[138], -kInfinity); }, "tolerance");
  judge.rejects("out[1] and out[2] are swapped", [](Values& out) { std::swap(out[1], out[2]); });
  Judge(check, {1.0f, 0x1p-140f}, {2.0f, 0x1p-141f})
      .rejects(
          "out[1] is 0 and should be 1.08e-42", [](Values& out) { out[1] = 0; }, "tolerance");
}

BENCH_CASE("n = 300,000") {
  grade(300'000);
}
