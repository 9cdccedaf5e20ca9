// 015 normalize_gates: gates = values / sum(values) per row
#include "testing/grader.h"

#include <algorithm>
#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;

// Values between 1/2 and 2 as probabilities are: all positive, their sum well off 1.
Values positive(Random& random, int rows, int k) {
  Values values = random.values(static_cast<std::size_t>(rows * k));
  for (float& value : values) value = std::fabs(value);
  return values;
}

// Values of both signs. One a row makes up for the rest, so that the sum is at least 1 and the sum
// of the absolute values at most 16 times as much.
Values mixed(Random& random, int rows, int k) {
  Values values;
  for (int r = 0; r < rows; ++r) {
    const int large = random.integer(0, k - 1);
    float others = 0;
    Values row;
    for (int j = 0; j < k; ++j) {
      row.push_back((random.coin() ? 1.0f : -1.0f) * random.uniform(0.0625f, 0.4f));
      if (j != large) others += row.back();
    }
    row[static_cast<std::size_t>(large)] = std::max(-others, 0.0f) + random.uniform(1, 2);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

void grade(int rows, int k, Values given = {}, bool big = false, oracle::Bounded expected = {}) {
  Trial trial{{"rows", rows}, {"k", k}};
  if (given.empty()) given = positive(trial.random(), rows, k);
  const auto values = trial.input("values", {{"r", rows}, {"j", k}}, std::move(given));
  const auto gates = trial.output("gates", {{"r", rows}, {"j", k}});
  if (expected.size() == 0) expected = oracle::normalize_gates(values.values(), rows, k);
  trial.expect(gates, std::move(expected));

  const auto sum = [=](int r, auto term) {
    double total = 0;
    for (int j = 0; j < k; ++j) total += term(values(r, j));
    return total;
  };
  const auto near = [](double value) { return within_ulps(value, 8.0); };
  trial.mistake("softmax-again", gates, [=](int r, int j) {
    return near(std::exp(values(r, j)) / sum(r, [](double v) { return std::exp(v); }));
  });
  trial.mistake("absolute-values", gates, [=](int r, int j) {
    return near(values(r, j) / sum(r, [](double v) { return std::fabs(v); }));
  });
  trial.mistake("one-row-a-block", gates, [=](int r, int j) -> Expected {
    return r % 256 == 0 ? near(values(r, j) / sum(r, [](double v) { return v; }))
                        : Expected::unwritten();
  });
  for (const double epsilon : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
    trial.mistake("epsilon", gates, [=](int r, int j) {
      return near(values(r, j) / (sum(r, [](double v) { return v; }) + epsilon));
    });
  }
  trial.mistake_if("thread-per-value", [](const Diagnostic& d) { return d.is_race_with_itself(); });
  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) { normalize_gates(values, gates, rows, k, stream); });
}

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 experts each") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("015_normalize_gates", name);
  };
  grade(size("rows"), size("k"), micro_batch::example("015_normalize_gates", "values"));
}

LESSON_CASE("the same from probabilities: a factor falls out") {
  const std::vector<int> experts = micro_batch::ints("experts");
  const Values probs = micro_batch::floats("probs");
  Values values;
  for (std::size_t p = 0; p < experts.size(); ++p) {
    values.push_back(probs[p / 2 * 4 + static_cast<std::size_t>(experts[p])]);
  }
  grade(3, 2, std::move(values));
}

LESSON_CASE("k = 1: every gate is 1") {
  Random random = case_random();
  grade(1, 1);
  grade(45, 1, random.uniforms(45, 0.01f, 3));
}

LESSON_CASE("k from 2 to 16") {
  for (const int k : {2, 3, 5, 8, 15, 16}) grade(9, k);
}

LESSON_CASE("a warp or a block of rows, one less, one more") {
  for (const int rows : {2, 31, 32, 33}) grade(rows, 3);
  for (const int rows : {255, 256, 257, 513}) grade(rows, 2);
}

LESSON_CASE("values of both signs") {
  Random random = case_random();
  for (const int k : {2, 4, 16}) grade(20, k, mixed(random, 20, k));
  grade(2, 3, {3, -1, -1, -0.25f, 2, -1.5f});
}

LESSON_CASE("gates of 0") {
  grade(3, 4, {1, 0, 0, 0, 0, 0, 0.5f, 0.25f, -0.0f, 3, 0, 1});
}

LESSON_CASE("equal to softmax over the chosen scores") {
  Random random = case_random();
  const int rows = 12, cols = 9, k = 3;
  Values values;
  oracle::Bounded expected;
  for (int r = 0; r < rows; ++r) {
    const Values logits = random.normals(cols, 0, 2);
    double total = 0, chosen = 0;
    for (const float x : logits) total += std::exp(x);
    oracle::Bounded probs;
    for (std::size_t j = 0; j < k; ++j) {
      const double exact = std::exp(static_cast<double>(logits[j])) / total;
      values.push_back(static_cast<float>(exact));
      probs.value.push_back(exact);
      probs.bound.push_back(exact * 0x1p-24);  // the rounding of the value
      chosen += std::exp(static_cast<double>(logits[j]));
    }
    const oracle::Bounded gates = oracle::normalize_gates(probs, 1, k);
    for (std::size_t j = 0; j < k; ++j) {
      expected.value.push_back(std::exp(static_cast<double>(logits[j])) / chosen);
      expected.bound.push_back(gates.bound[j]);
    }
  }
  grade(rows, k, std::move(values), false, std::move(expected));
}

LESSON_CASE("sums far from 1") {
  Random random = case_random();
  Values values = mixed(random, 60, 5);
  for (int r = 0; r < 60; ++r) {
    for (int j = 0; j < 5; ++j) {
      float& value = values[static_cast<std::size_t>(r * 5 + j)];
      value = std::ldexp(value, r * 2 - 58);  // sums from 2^-58 to 2^60
    }
  }
  grade(60, 5, std::move(values));
  // Beside a value of 1, gates as small as floats get.
  grade(1, 4, {1, 0x1p-120f, 0x1.8p-140f, 0x1p-149f});
}

LESSON_CASE("no rows") {
  grade(0, 3);
}

LESSON_CASE("rows past 65,536, each of its own") {
  grade(66'000, 3, {}, true);
}

LESSON_CASE("more than half a million rows") {
  grade(530'000, 1, {}, true);
}

BENCH_CASE("16,384 rows, k = 8") {
  grade(16'384, 8);
}
