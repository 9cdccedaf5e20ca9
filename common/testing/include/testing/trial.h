// One call of a lesson's function on one set of arrays, checked in every way the course checks:
//
//   Trial trial{{"M", M}, {"N", N}, {"K", K}};
//   auto A = trial.input("A", {{"m", M}, {"k", K}});
//   auto B = trial.input("B", {{"k", K}, {"n", N}});
//   auto C = trial.output("C", {{"m", M}, {"n", N}});
//   trial.expect(C, [&](int m, int n) {
//     Sum dot;
//     for (int k = 0; k < K; ++k) dot += A(m, k) * B(k, n);
//     return dot;
//   });
//   trial.call([&](cudaStream_t stream) { matmul_nn(A, B, C, M, N, K, stream); });
//
// call() runs the function several times: each time with threads and blocks in another order, with
// another fill in whatever nothing wrote, and with the arrays on other alignments. After each run
// it looks at errors, the runtime's diagnostics, the bands round every array, the inputs and the
// outputs, and ends the test case with one message at the first thing that is wrong.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracle/bounded.h"
#include "testing/array.h"
#include "testing/counts.h"
#include "testing/diagnostic.h"
#include "testing/oracle.h"
#include "testing/random.h"

namespace testing {

struct Size {
  const char* name;
  long value;
};

struct Outcome {
  bool passed = true;
  std::string message;  // why not, in lines
  std::string mistake;  // the slug of the known mistake that explains it, or none
  std::vector<Diagnostic> diagnostics;
};

// What a run left in the arrays of its trial.
class Results {
 public:
  using Words = std::function<std::span<const std::uint32_t>(const detail::ArrayState&)>;
  explicit Results(Words words) : words_(std::move(words)) {}

  template <class T>
  std::vector<T> operator()(const Array<T>& array) const {
    std::vector<T> values;
    for (const std::uint32_t word : words_(array.state())) values.push_back(std::bit_cast<T>(word));
    return values;
  }

 private:
  Words words_;
};

class Trial {
 public:
  using Call = std::function<void(cudaStream_t)>;
  using Element = std::function<Expected(std::span<const int> indices)>;

  // `sizes` are named in every message.
  explicit Trial(std::initializer_list<Size> sizes = {});
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Where the trial's random inputs come from.
  Random& random();

  // Arrays that the function must not change. Without values: random ones (Random::values).
  Array<float> input(std::string name, Axes axes, std::vector<float> values = {});
  Array<int> input(std::string name, Axes axes, std::vector<int> values);

  // An array that the function overwrites: its old content (NaN at first) must not matter.
  template <class T = float>
  Array<T> output(std::string name, Axes axes) {
    return Array<T>(add(std::move(name), std::move(axes), Role::output, std::is_same_v<T, int>));
  }

  // An array that the function may write as it likes, and whose content does not matter.
  template <class T = float>
  Array<T> scratch(std::string name, Axes axes) {
    return Array<T>(add_scratch(std::move(name), std::move(axes), std::is_same_v<T, int>));
  }

  // Arrays that the function reads and changes: by `+=` (a gradient), or in place.
  Array<float> accumulated(std::string name, Axes axes, std::vector<float> values = {});
  Array<float> in_place(std::string name, Axes axes, std::vector<float> values = {});

  // What the array must hold afterwards: element(i), element(i, j), ... by the number of axes.
  // It returns a Sum, an Expected (a value and its bound), or a plain number, which is exact.
  template <class T, class F>
  void expect(const Array<T>& array, F element) {
    add_expectation(array.state(), wrap(std::move(element)));
  }

  // The same from a function of oracle/: value and bound of every element, or exact integers.
  //   trial.expect(Y, oracle::softmax_rows(X.values(), rows, cols));
  void expect(const Array<float>& array, oracle::Bounded result);
  void expect(const Array<int>& array, std::vector<int> result);

  // What a known mistake leaves in the array. Tried only when the output is wrong: if it fits every
  // element, the mistake is named in the report. The slug is that of the lesson's front matter.
  template <class T, class F>
  void mistake(std::string slug, const Array<T>& array, F element) {
    add_mistake(std::move(slug), array.state(), wrap(std::move(element)));
  }

  void mistake(std::string slug, const Array<float>& array, oracle::Bounded result);
  void mistake(std::string slug, const Array<int>& array, std::vector<int> result);

  // For a result that follows from other results: after each run, `judge` is called with what the
  // arrays hold now, and calls expect() and mistake(). Not together with sample_blocks().
  void judge_each_run(std::function<void(const Results&)> judge);

  // A known mistake that shows as a diagnostic.
  void mistake_if(std::string slug, std::function<bool(const Diagnostic&)> matches);

  // At most this many runs: for big arrays.
  void limit_runs(int runs);

  // For grids that would take too long on the CPU: of every launch with more than `full_threads`
  // threads, only the first, the last and some random blocks run, and only what they write is
  // compared. If they leave the first or the last element out, the whole grid runs once after all.
  // A smaller launch that works for more than 1.5 s is cut short, if it gets on (written elements
  // grow in number), and judged by what it wrote.
  // Meant for functions of a single launch: of several, whole grids run where sampled ones seem
  // wrong, and what takes too long then is not judged. No effect on a GPU. Skipped once an earlier
  // case failed.
  void sample_blocks(std::size_t full_threads = 100'000);

  // For outputs that hang on all blocks, so that a sample tells nothing: whole grids, in one run,
  // which is not judged where a launch works for more than 0.75 s: a slow way to do it is no
  // mistake.
  void judge_if_quick();

  // Which stream the function is given: the harness's own; null, the default stream; or one that is
  // capturing, where the graph is launched once when the function has returned.
  enum class Stream { own, null, capturing };
  void use_stream(Stream stream);

  // Runs and checks; a failure ends the test case.
  void call(const Call& function, const char* file = __builtin_FILE(), int line = __builtin_LINE());

  // Runs the function once more and counts what it does, for a note on a goal that is not scored:
  //   const Counts counts = trial.count(function);
  //   if (counts.available) note_goal("bytes loaded", counts["load_bytes"], 4.0 * n);
  // On a small shape, since this is part of each grading (a thousand loads, a tenth of a
  // millisecond); on a GPU nothing is counted. counts.h says which counts are right here.
  Counts count(const Call& function);

  // The same as call(), but hands the outcome back. For tests of the harness.
  Outcome evaluate(const Call& function);

  struct State;  // of the library

 private:
  const detail::ArrayState& add(std::string name, Axes axes, Role role, bool integer);
  const detail::ArrayState& add_scratch(std::string name, Axes axes, bool integer);
  const detail::ArrayState& add_filled(std::string name, Axes axes, Role role, bool integer,
                                       std::vector<std::uint32_t> words);
  Array<float> add_floats(std::string name, Axes axes, Role role, std::vector<float> values);
  void add_expectation(const detail::ArrayState& array, Element element);
  void add_mistake(std::string slug, const detail::ArrayState& array, Element element);

  template <class F>
  static Element wrap(F f) {
    return [f = std::move(f)](std::span<const int> i) -> Expected {
      if constexpr (std::is_invocable_v<const F&>) {
        return f();
      } else if constexpr (std::is_invocable_v<const F&, int>) {
        return f(i[0]);
      } else if constexpr (std::is_invocable_v<const F&, int, int>) {
        return f(i[0], i[1]);
      } else {
        return f(i[0], i[1], i[2]);
      }
    };
  }

  std::unique_ptr<State> state_;
};

}  // namespace testing
