// 047 zero_grads: every gradient buffer to 0
#include "testing/grader.h"

using namespace testing;

namespace {

struct Shape {
  int D, H, E;
};

// The buffers, each with its guard bands, as the function is given them: full of NaN.
struct Buffers {
  Array<float> Wg, W1, b1, W2, b2;

  Buffers(Trial& trial, Shape s)
      : Wg(trial.output("Wg", {{"d", s.D}, {"e", s.E}})),
        W1(trial.output("W1", {{"e", s.E}, {"d", s.D}, {"h", s.H}})),
        b1(trial.output("b1", {{"e", s.E}, {"h", s.H}})),
        W2(trial.output("W2", {{"e", s.E}, {"h", s.H}, {"d", s.D}})),
        b2(trial.output("b2", {{"e", s.E}, {"d", s.D}})) {}

  std::vector<Array<float>> all() const { return {Wg, W1, b1, W2, b2}; }
  MoeParams params() const { return {Wg, W1, b1, W2, b2}; }
};

// What is left when only the first `set` elements of a buffer are set. The axes' names do not
// matter here, the flat index does.
void leaves(Trial& trial, const char* slug, const Array<float>& array, std::size_t set) {
  const Axes& axes = array.state().axes;
  const auto at = [=](std::size_t flat) {
    return flat < set ? Expected(0) : Expected::unwritten();
  };
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(axes[axis].extent); };
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  if (axes.size() == 2) {
    trial.mistake(slug, array, [=, columns = extent(1)](int r, int c) {
      return at(index(r) * columns + index(c));
    });
  } else {
    trial.mistake(slug, array, [=, rows = extent(1), columns = extent(2)](int e, int r, int c) {
      return at((index(e) * rows + index(r)) * columns + index(c));
    });
  }
}

void know_mistakes(Trial& trial, const Buffers& grads, Shape s) {
  for (const auto& array : grads.all()) leaves(trial, "left-out", array, 0);
  // W1 and W2 would look like one expert's of four.
  for (const auto& array : {grads.Wg, grads.b1, grads.b2}) {
    if (array.size() > 3) leaves(trial, "elements-for-bytes", array, array.size() / 4);
  }
  const auto E = static_cast<std::size_t>(s.E);
  if (s.D < s.H) leaves(trial, "swapped-widths", grads.b1, E * static_cast<std::size_t>(s.D));
  if (s.H < s.D) leaves(trial, "swapped-widths", grads.b2, E * static_cast<std::size_t>(s.H));
  leaves(trial, "one-expert", grads.W1, grads.W1.size() / E);
  trial.mistake_if("not-queued", [](const Diagnostic& d) {
    return d.is("wrong_stream") || d.is("forbidden_call");
  });
}

void grade(Shape s, int T = 5, int K = 1) {
  Trial trial{{"D", s.D}, {"H", s.H}, {"E", s.E}};
  const Buffers grads(trial, s);
  for (const auto& array : grads.all()) {
    trial.expect(array, oracle::make_bounded(array.size()));  // exact zeros
  }
  know_mistakes(trial, grads, s);
  const MoeConfig config{T, s.D, s.H, s.E, K, Activation::relu, 0.01f};
  trial.call([&](cudaStream_t stream) { zero_grads(grads.params(), config, stream); });
}

}  // namespace

LESSON_CASE("the micro-batch: D = 2, H = 3, 4 experts") {
  const auto length = [](const char* array) {
    return static_cast<int>(micro_batch::floats(array).size());
  };
  const int E = length("mean_probs");
  grade({length("b2") / E, length("b1") / E, E}, 3, 2);
}

LESSON_CASE("one of everything") {
  grade({1, 1, 1});
}

LESSON_CASE("one size alone is not 1") {
  for (const Shape s : {Shape{7, 1, 1}, Shape{1, 7, 1}, Shape{1, 1, 7}}) grade(s);
}

LESSON_CASE("D wider than H, H wider than D") {
  grade({33, 5, 3});
  grade({5, 33, 3});
  grade({3, 5, 33}, 7, 4);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [D, H, E] : unequal_triples(random, 5, 4000, {any_size, any_size, most_experts}))
    grade({D, H, E});
}

LESSON_CASE("1,024 experts") {
  grade({2, 3, 1024}, 1, 16);
}

LESSON_CASE("no tokens: gradients are cleared all the same") {
  grade({3, 4, 5}, 0);
}

LESSON_CASE("buffers larger than a block, and than 65,536 elements") {
  grade({37, 61, 31});
}

BENCH_CASE("D = 64, H = 128, E = 8") {
  grade({64, 128, 8});
}
