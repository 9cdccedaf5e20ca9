// Trials on the CPU runtime. A "lesson function" here is host code that writes the arrays directly:
// nothing of it is seen by the runtime's own checks, so what is found, the harness found.
#include "testing/trial.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "testing/grader.h"

using namespace testing;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool reports(const Outcome& outcome, const std::string& kind) {
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.kind == kind && diagnostic.error) return true;
  }
  return false;
}

// y = 2 x + 1 for n elements.
struct Line {
  Trial trial;
  Array<float> x, y;
  int n;

  explicit Line(int count)
      : trial{{"n", count}},
        x(trial.input("x", {{"i", count}})),
        y(trial.output("y", {{"i", count}})),
        n(count) {
    trial.expect(y, [this](int i) { return within_ulps(2 * x[i] + 1, 1); });
  }
  float* in() const { return x; }
  float* out() const { return y; }
  void compute() const {
    for (int i = 0; i < n; ++i) out()[i] = 2 * in()[i] + 1;
  }
};

}  // namespace

TEST_CASE("a right function passes, on changing alignments") {
  Line line(37);
  int runs = 0, unaligned = 0;
  const Outcome outcome = line.trial.evaluate([&](cudaStream_t stream) {
    CHECK(stream != nullptr);
    ++runs;
    unaligned += reinterpret_cast<std::uintptr_t>(line.out()) % 16 != 0;
    line.compute();
  });
  CHECK(outcome.passed);
  CHECK(outcome.message.empty());
  CHECK(runs == 3);
  CHECK(unaligned >= 1);
}

TEST_CASE("in some run of a case only one of two arrays allows 16 bytes, in another both only 8") {
  bool only_in = false, only_out = false, both_8 = false;
  for (int trial = 0; trial < 12; ++trial) {
    Line line(5);
    line.trial.evaluate([&](cudaStream_t) {
      const auto in = reinterpret_cast<std::uintptr_t>(line.in()) % 16;
      const auto out = reinterpret_cast<std::uintptr_t>(line.out()) % 16;
      only_in = only_in || (in == 0 && out != 0);
      only_out = only_out || (out == 0 && in != 0);
      both_8 = both_8 || (in == 8 && out == 8);
      line.compute();
    });
  }
  CHECK(only_in);
  CHECK(only_out);
  CHECK(both_8);
}

TEST_CASE("zero elements") {
  Line line(0);
  CHECK(line.trial.evaluate([&](cudaStream_t) { CHECK(line.out() != nullptr); }).passed);
}

TEST_CASE("an output that keeps its fill, or is NaN, or was right before, is wrong") {
  Line line(20);
  const Outcome nothing = line.trial.evaluate([](cudaStream_t) {});
  CHECK_FALSE(nothing.passed);
  CHECK(contains(nothing.message, "With n=20: y[i=0] was never written"));

  const Outcome nan = line.trial.evaluate([&](cudaStream_t) {
    for (int i = 0; i < line.n; ++i) line.out()[i] = NAN;
  });
  CHECK(contains(nan.message, "y[i=0] is NaN"));

  int run = 0;
  const Outcome stale = line.trial.evaluate([&](cudaStream_t) {
    if (run++ == 0) line.compute();
  });
  CHECK_FALSE(stale.passed);
  CHECK(contains(stale.message, "run 2 of 3"));
}

TEST_CASE("a result is judged by another one of the same run; scratch holds anything") {
  for (const bool right : {true, false}) {
    Trial trial;
    const auto a = trial.output("a", {{"i", 3}});
    const auto b = trial.output("b", {{"i", 3}});
    const auto scratch = trial.scratch("scratch", {{"i", 2}});
    trial.expect(a, [](int) { return Expected(10, 3); });
    int runs = 0;
    trial.judge_each_run([&](const Results& results) {
      const std::vector<float> left = results(a);
      trial.expect(b, [=](int i) { return 2 * left[static_cast<std::size_t>(i)]; });
      trial.mistake("three-times", b, [=](int i) { return 3 * left[static_cast<std::size_t>(i)]; });
    });
    const Outcome outcome = trial.evaluate([&](cudaStream_t) {
      ++runs;
      for (int i = 0; i < 3; ++i) {
        float* const to_a = a;
        float* const to_b = b;
        to_a[i] = static_cast<float>(9 + runs);  // another number in each run
        to_b[i] = to_a[i] * (right || runs < 2 ? 2 : 3);
      }
      static_cast<float*>(scratch)[0] = static_cast<float>(runs);
    });
    CHECK(outcome.passed == right);
    CHECK(runs == (right ? 3 : 2));
    CHECK(outcome.mistake == (right ? "" : "three-times"));
  }
}

TEST_CASE("a write just outside an array is found") {
  for (const int index : {-1, 20, 1000}) {
    Line line(20);
    const Outcome outcome = line.trial.evaluate([&](cudaStream_t) {
      line.compute();
      line.out()[index] = 1;
    });
    CHECK_FALSE(outcome.passed);
    CHECK(reports(outcome, "out_of_bounds"));
    CHECK(contains(outcome.diagnostics[0].message, std::to_string(index)));
    CHECK(contains(outcome.message, "the values are right, but the checks report: out_of_bounds"));
  }
}

TEST_CASE("a changed input is found") {
  Line line(20);
  const Outcome outcome = line.trial.evaluate([&](cudaStream_t) {
    line.compute();
    line.in()[7] *= 2;
  });
  CHECK(reports(outcome, "input_written"));
  CHECK(contains(outcome.diagnostics[0].message, "x[i=7]"));
}

TEST_CASE("a known mistake is named, and only if it fits") {
  Line line(20);
  line.trial.mistake("forgot-one", line.y, [&](int i) { return 2 * line.x[i]; });
  line.trial.mistake("minus-one", line.y, [&](int i) { return within_ulps(2 * line.x[i] - 1, 2); });
  const auto with_offset = [&](float offset) {
    return line.trial.evaluate([&line, offset](cudaStream_t) {
      for (int i = 0; i < line.n; ++i) line.out()[i] = 2 * line.in()[i] + offset;
    });
  };
  CHECK(with_offset(0).mistake == "forgot-one");
  CHECK(with_offset(-1).mistake == "minus-one");
  CHECK(with_offset(7).mistake.empty());
  CHECK(with_offset(1).passed);
}

TEST_CASE("a known mistake is worked out up to the first element that does not fit") {
  Line line(20);
  int asked = 0;
  line.trial.mistake("other-start", line.y, [&](int i) {
    ++asked;
    return i < 2 ? 2 * line.x[i] : 1e9;
  });
  const Outcome outcome = line.trial.evaluate([&](cudaStream_t) {
    for (int i = 0; i < line.n; ++i) line.out()[i] = 2 * line.in()[i];
  });
  CHECK_FALSE(outcome.passed);
  CHECK(outcome.mistake.empty());
  CHECK(asked == 3);
}

TEST_CASE("accumulated arrays begin each run with their content") {
  Trial trial;
  const auto total = trial.accumulated("db", {{"c", 5}});
  trial.expect(total, [&](int c) { return rounded(total(c) + 1); });
  CHECK(trial
            .evaluate([&](cudaStream_t) {
              for (int c = 0; c < 5; ++c) static_cast<float*>(total)[c] += 1;
            })
            .passed);
  const Outcome overwritten = trial.evaluate([&](cudaStream_t) {
    for (int c = 0; c < 5; ++c) static_cast<float*>(total)[c] = 1;
  });
  CHECK(contains(overwritten.message, "must be added to it"));
}

TEST_CASE("an error left behind, an exception") {
  Line line(5);
  const Outcome error = line.trial.evaluate([&](cudaStream_t stream) {
    line.compute();
    cudaMemsetAsync(nullptr, 0, 4, stream);
  });
  CHECK_FALSE(error.passed);
  const Outcome thrown = line.trial.evaluate([](cudaStream_t) { throw std::runtime_error("oh"); });
  CHECK(contains(thrown.message, "the function threw an exception: oh"));
  const Outcome number = line.trial.evaluate([](cudaStream_t) { throw 42; });
  CHECK(contains(number.message, "the function threw an exception"));
}

TEST_CASE("a synchronisation inside the function is forbidden") {
  Line line(5);
  const Outcome outcome = line.trial.evaluate([&](cudaStream_t stream) {
    line.compute();
    cudaStreamSynchronize(stream);
  });
  CHECK(reports(outcome, "forbidden_call"));
}

TEST_CASE("a function that takes the harness's memory away is told which call it was") {
  for (const bool reset : {true, false}) {
    Line line(5);
    const Outcome outcome = line.trial.evaluate([&](cudaStream_t) {
      line.compute();
      if (reset) {
        cudaDeviceReset();
      } else {
        cudaFree(line.out() - 1024);  // where the guard band before it begins
      }
    });
    CHECK_FALSE(outcome.passed);
    CHECK(reports(outcome, "forbidden_call"));
  }
  Line after(5);
  CHECK(after.trial.evaluate([&](cudaStream_t) { after.compute(); }).passed);
}

TEST_CASE("several outputs: the first is described, the others are mentioned") {
  Trial trial;
  const auto a = trial.output("a", {{"i", 3}});
  const auto n = trial.output<int>("n", {{"e", 2}});
  trial.expect(a, [](int) { return 1; });
  trial.expect(n, [](int e) { return e; });
  const Outcome outcome = trial.evaluate([](cudaStream_t) {});
  CHECK(contains(outcome.message, "a[i=0] was never written"));
  CHECK(contains(outcome.message, "Also wrong: n (all of them)."));
}

TEST_CASE("an output without an expectation is the author's mistake") {
  Trial trial;
  trial.output("a", {{"i", 3}});
  CHECK_THROWS_AS(trial.evaluate([](cudaStream_t) {}), std::logic_error);
}

TEST_CASE("expectations and mistakes may come from the oracles") {
  Trial trial{{"rows", 2}, {"cols", 3}};
  const auto X = trial.input("X", {{"r", 2}, {"c", 3}});
  const auto b = trial.input("b", {{"c", 3}});
  const auto Y = trial.output("Y", {{"r", 2}, {"c", 3}});
  const auto counts = trial.output<int>("counts", {{"e", 2}});
  trial.expect(Y, oracle::bias_add(X.values(), b.values(), 2, 3));
  trial.expect(counts, std::vector<int>{3, 4});
  trial.mistake("copies", Y,
                oracle::Bounded{{X[0], X[1], X[2], X[3], X[4], X[5]}, {0, 0, 0, 0, 0, 0}});

  const auto compute = [&](bool add, int last) {
    return trial.evaluate([&, add, last](cudaStream_t) {
      float* y = Y;
      int* count = counts;
      for (int r = 0; r < 2; ++r) {
        for (int c = 0; c < 3; ++c) {
          y[3 * r + c] = static_cast<float>(X(r, c) + (add ? b(c) : 0.0));
        }
      }
      count[0] = 3;
      count[1] = last;
    });
  };
  CHECK(compute(true, 4).passed);
  CHECK(compute(false, 4).mistake == "copies");
  const Outcome wrong_count = compute(true, 5);
  CHECK(!wrong_count.passed);
  CHECK(contains(wrong_count.message, "counts[e=1] is 5, expected 4"));

  CHECK_THROWS_AS(trial.expect(counts, std::vector<int>{1}), std::logic_error);
}

TEST_CASE("counts of one more run, with all arrays aligned") {
  Line line(37);
  const auto function = [&](cudaStream_t stream) {
    CHECK(reinterpret_cast<std::uintptr_t>(line.out()) % 256 == 0);
    cudaStreamSynchronize(stream);
    line.compute();
  };
  const Counts counts = line.trial.count(function);
  CHECK(counts.available);
  CHECK(counts["launches"] == 0);
  CHECK(counts["host_waits"] == 1);
  CHECK(counts["bytes_moved"] == 0);
  CHECK_THROWS_AS(counts["bytes_mooved"], std::out_of_range);
  CHECK(Counts{}["anything"] == 0);
}
