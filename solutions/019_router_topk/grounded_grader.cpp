// grounded_router: whole numbers at first, so that scores are exact in every order and ties are
// ties.
#include <algorithm>
#include <cmath>

#include "moe/examples.h"
#include "testing/grader.h"

using namespace testing;

namespace {

using Values = std::vector<float>;

struct Batch {
  int T, D, E;
  float alpha;
  Values logits, X, G;
};

std::size_t size(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

Batch whole_numbers(int T, int D, int E, int most) {
  Random random = case_random();
  return {T,
          D,
          E,
          0.5f,
          random.whole_numbers(size(T, E), -most, most),
          random.whole_numbers(size(T, D), -most, most),
          random.whole_numbers(size(E, D), -most, most)};
}

// Of a token: the scores, and how far from them a kernel's may be.
struct Scores {
  std::vector<double> value, bound;
};

Scores scores(const Batch& b, int t) {
  Scores out;
  for (int e = 0; e < b.E; ++e) {
    const double logit = b.logits[size(t, b.E) + static_cast<std::size_t>(e)];
    double dot = 0, magnitude = std::fabs(logit);
    for (int d = 0; d < b.D; ++d) {
      const double product = double{b.X[size(t, b.D) + static_cast<std::size_t>(d)]} *
                             b.G[size(e, b.D) + static_cast<std::size_t>(d)];
      dot += product;
      magnitude += std::fabs(b.alpha * product);
    }
    out.value.push_back(logit + b.alpha * dot);
    out.bound.push_back(bounds::sum_of_products(b.D + 2, magnitude));
  }
  return out;
}

void grade(const Batch& b) {
  Trial trial{{"T", b.T}, {"D", b.D}, {"E", b.E}};
  const auto logits = trial.input("logits", {{"t", b.T}, {"e", b.E}}, b.logits);
  const auto X = trial.input("X", {{"t", b.T}, {"d", b.D}}, b.X);
  const auto G = trial.input("G", {{"e", b.E}, {"d", b.D}}, b.G);
  const auto out = trial.output("out", {{"t", b.T}, {"choice", 2}, {"what", 2}});
  std::vector<Expected> right;
  for (int t = 0; t < b.T; ++t) {
    const Scores of = scores(b, t);
    std::vector<std::size_t> order(of.value.size());
    for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return of.value[i] > of.value[j]; });
    const double distance = of.value[order[1]] - of.value[order[0]];
    const double ratio = std::exp(distance);
    // The weights' slopes by the distance are at most 1/4 and their own size.
    const double moved =
        of.bound[order[0]] + of.bound[order[1]] + bounds::exponential_relative(distance);
    for (int choice = 0; choice < 2; ++choice) {
      const double weight = (choice == 0 ? 1 : ratio) / (1 + ratio);
      right.emplace_back(static_cast<double>(order[static_cast<std::size_t>(choice)]));
      right.emplace_back(weight, weight * 2 * moved + bounds::ulps(weight, 4));
    }
  }
  trial.expect(out, [&](int t, int choice, int what) {
    return right[static_cast<std::size_t>(4 * t + 2 * choice + what)];
  });
  trial.call([&](cudaStream_t stream) {
    grounded_router(logits, X, G, b.alpha, out, b.T, b.D, b.E, stream);
  });
}

}  // namespace

LESSON_CASE("two experts, one token, one column") {
  grade(whole_numbers(1, 1, 2, 5));
  grade(whole_numbers(3, 2, 2, 5));
}

LESSON_CASE("no tokens") {
  grade(whole_numbers(0, 3, 4, 5));
}

LESSON_CASE("the example's widths: 128 columns, 16 experts") {
  grade(whole_numbers(33, 128, 16, 2));
}

LESSON_CASE("sizes that fit nothing") {
  grade(whole_numbers(17, 5, 15, 3));
  grade(whole_numbers(15, 131, 17, 1));
  grade(whole_numbers(5, 300, 40, 1));
  grade(whole_numbers(2, 4, 1000, 1));
}

LESSON_CASE("ties: the lower index first") {
  grade(whole_numbers(40, 2, 9, 1));
  grade({20, 4, 20, 0.5f, Values(400, 0.25f), Values(80, 1.0f), Values(80, -1.0f)});
}

LESSON_CASE("numbers that round, and a choice beyond doubt") {
  Random random = case_random();
  Batch batch = whole_numbers(20, 100, 16, 1);
  batch.X = random.uniforms(batch.X.size(), -0.1f, 0.1f);
  batch.G = random.uniforms(batch.G.size(), -0.1f, 0.1f);
  for (std::size_t t = 0; t < 20; ++t) {  // the products move a score by less than 0.5
    const std::vector<int> order = random.permutation(16);
    for (std::size_t e = 0; e < 16; ++e) {
      batch.logits[16 * t + e] = 1.5f * static_cast<float>(order[e]);
    }
  }
  grade(batch);
}
