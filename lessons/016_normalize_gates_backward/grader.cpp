// 016 normalize_gates_backward: dv_i = (dg_i - sum_j dg_j g_j) / s
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace testing;

namespace {

using Values = std::vector<float>;

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

void grade(int rows, int k, Values given = {}, Values upstream = {}, bool big = false) {
  Trial trial{{"rows", rows}, {"k", k}};
  if (given.empty()) given = positive(trial.random(), rows, k);
  const auto values = trial.input("values", {{"r", rows}, {"j", k}}, std::move(given));
  const auto dgates = trial.input("dgates", {{"r", rows}, {"j", k}}, std::move(upstream));
  const auto dvalues = trial.output("dvalues", {{"r", rows}, {"j", k}});
  trial.expect(dvalues,
               oracle::normalize_gates_backward(values.values(), dgates.values(), rows, k));

  const auto sum = [=](int r) {
    double total = 0;
    for (int j = 0; j < k; ++j) total += values(r, j);
    return total;
  };
  const auto dot = [=](int r) {
    double total = 0;
    for (int j = 0; j < k; ++j) total += dgates(r, j) * values(r, j);
    return total;
  };
  const auto near = [](double value) { return Expected(value, 1e-5 * std::fabs(value) + 1e-7); };
  trial.mistake("sum-held-constant", dvalues,
                [=](int r, int j) { return near(dgates(r, j) / sum(r)); });
  trial.mistake("dot-with-values", dvalues,
                [=](int r, int j) { return near((dgates(r, j) - dot(r)) / sum(r)); });
  trial.mistake("not-divided", dvalues,
                [=](int r, int j) { return near(dgates(r, j) - dot(r) / sum(r)); });
  trial.mistake("softmax-backward", dvalues, [=](int r, int j) {
    return near(values(r, j) / sum(r) * (dgates(r, j) - dot(r) / sum(r)));
  });
  trial.mistake("bound-of-8", dvalues, [=](int r, int j) {
    double head = 0, head_dot = 0;
    for (int i = 0; i < std::min(k, 8); ++i) {
      head += values(r, i);
      head_dot += dgates(r, i) * values(r, i);
    }
    return j < 8 ? near((dgates(r, j) - head_dot / head) / head) : Expected::unwritten();
  });
  // What nothing set is huge and negative here, and two of it make a sum of -infinity: each result
  // is 0, with the sign that its gradient does not have.
  if (!big && k < 15) {
    trial.judge_each_run([=, &trial](const Results& results) {
      const Values got = results(dvalues);
      for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] != 0 || (dgates[i] != 0 && std::signbit(got[i]) == (dgates[i] < 0))) return;
      }
      trial.mistake("past-k-not-set", dvalues, [](int, int) { return 0; });
    });
  }
  trial.mistake_if("unguarded-store", [=](const Diagnostic& d) {
    return d.is("out_of_bounds") && d.global_x(256) < rows &&
           d.message.find("writes dvalues") != std::string::npos;
  });
  if (big) {
    trial.sample_blocks();
    trial.limit_runs(1);
  }
  trial.call([&](cudaStream_t stream) {
    normalize_gates_backward(values, dgates, dvalues, rows, k, stream);
  });
}

// d sum_j dg_j g_j(v) by v_i, from gates in double precision.
double difference(const std::vector<double>& values, const std::vector<double>& dgates, int i) {
  const auto loss = [&](double step) {
    std::vector<double> moved = values;
    moved[static_cast<std::size_t>(i)] += step;
    const auto gates = oracle::normalize_gates(moved, 1, static_cast<int>(moved.size())).value;
    double total = 0;
    for (std::size_t j = 0; j < gates.size(); ++j) total += dgates[j] * gates[j];
    return total;
  };
  const double h = 1e-5;
  return (loss(h) - loss(-h)) / (2 * h);
}

}  // namespace

LESSON_CASE("the lesson's example: one row of three") {
  const auto size = [](const char* name) {
    return micro_batch::example_int("016_normalize_gates_backward", name);
  };
  const auto values = [](const char* name) {
    return micro_batch::example("016_normalize_gates_backward", name);
  };
  grade(size("rows"), size("k"), values("values"), values("dgates"));
}

LESSON_CASE("the micro-batch: 3 tokens, 2 experts each") {
  const std::vector<int> experts = micro_batch::ints("experts");
  const Values probs = micro_batch::floats("probs");
  Values values;
  for (std::size_t p = 0; p < experts.size(); ++p) {
    values.push_back(probs[p / 2 * 4 + static_cast<std::size_t>(experts[p])]);
  }
  grade(3, 2, std::move(values), micro_batch::floats("dgates"));
}

LESSON_CASE("k = 1: the gate is constant, so its derivative is 0") {
  grade(1, 1);
  grade(45, 1);
}

LESSON_CASE("k from 2 to 16") {
  for (const int k : {2, 3, 5, 8, 9, 15, 16}) grade(9, k);
}

LESSON_CASE("a warp or a block of rows, one less, one more") {
  for (const int rows : {2, 31, 32, 33}) grade(rows, 3);
  for (const int rows : {255, 256, 257, 513}) grade(rows, 2);
}

LESSON_CASE("equal gradients: all of dvalues 0, but for rounding") {
  grade(5, 4, {}, Values(20, 0.75f));
  grade(4, 3, {}, Values(12, 0.0f));
}

LESSON_CASE("values of both signs, and values of 0") {
  Random random = case_random();
  for (const int k : {2, 4, 16}) grade(20, k, mixed(random, 20, k));
  grade(2, 4, {1, 0, 0, 0, 0, 0.5f, 0, 0.25f});
}

LESSON_CASE("sums far from 1") {
  Random random = case_random();
  Values values = mixed(random, 50, 5);
  for (int r = 0; r < 50; ++r) {
    for (int j = 0; j < 5; ++j) {
      float& value = values[static_cast<std::size_t>(r * 5 + j)];
      value = std::ldexp(value, r * 2 - 58);  // sums from 2^-58 to 2^40
    }
  }
  grade(50, 5, std::move(values));
}

LESSON_CASE("as a central difference of the gates has it") {
  Random random = case_random();
  const int rows = 6, k = 5;
  const Values values = mixed(random, rows, k), dgates = random.values(rows * k);
  const oracle::Bounded exact = oracle::normalize_gates_backward(values, dgates, rows, k);
  for (int r = 0; r < rows; ++r) {
    const auto row = [&](const Values& all) {
      return std::vector<double>(all.begin() + r * k, all.begin() + (r + 1) * k);
    };
    double along_values = 0;
    for (int i = 0; i < k; ++i) {
      const double value = exact.value[static_cast<std::size_t>(r * k + i)];
      if (std::fabs(value - difference(row(values), row(dgates), i)) > 1e-7) {
        fail_case("the grader's own derivative is wrong");
      }
      along_values += value * values[static_cast<std::size_t>(r * k + i)];
    }
    if (std::fabs(along_values) > 1e-12) fail_case("the grader's own derivative is wrong");
  }
  grade(rows, k, values, dgates);
}

LESSON_CASE("no rows") {
  grade(0, 3);
}

LESSON_CASE("rows past 65,536, each of its own") {
  grade(66'000, 3, {}, {}, true);
}

LESSON_CASE("more than half a million rows") {
  grade(530'000, 1, {}, {}, true);
}

BENCH_CASE("16,384 rows, k = 8") {
  grade(16'384, 8);
}
