// 026 combine_tokens: out[t] = sum over j of gates[t,j] Ys[slot(t,j)]
#include "testing/grader.h"

#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

struct Inputs {
  Ints slot_of_pair;
  Values Ys, gates;
};

void know_mistakes(Trial& trial, const Array<float>& out, const Array<float>& Ys,
                   const Array<int>& slot_of_pair, const Array<float>& gates) {
  const int K = gates.state().axes[1].extent;
  const auto mixed = [&, K](int t, int d, auto gate, auto row) {
    Sum sum;
    for (int j = 0; j < K; ++j) sum += gate(t * K + j) * Ys(row(t * K + j), d);
    return sum;
  };
  const auto own_gate = [&](int p) { return gates[p]; };
  const auto own_slot = [&](int p) { return slot_of_pair[p]; };
  trial.mistake("gate-of-the-slot", out, [=](int t, int d) {
    return mixed(
        t, d, [&](int p) { return gates[slot_of_pair[p]]; }, own_slot);
  });
  trial.mistake("pair-as-slot", out,
                [=](int t, int d) { return mixed(t, d, own_gate, [](int p) { return p; }); });
  const int T = gates.state().axes[0].extent, D = out.state().axes[1].extent;
  trial.mistake("choice-by-choice", out, [=](int t, int d) {
    Sum sum;
    for (int j = 0; j < K; ++j) sum += gates[j * T + t] * Ys(slot_of_pair[j * T + t], d);
    return sum;
  });
  if (D > 256) {
    trial.mistake("no-walk", out, [=](int t, int d) -> Expected {
      return d < 256 ? Expected(mixed(t, d, own_gate, own_slot)) : Expected::unwritten();
    });
  }
  trial.mistake("adds-to-output", out,
                [](int, int) { return std::numeric_limits<double>::quiet_NaN(); });
  trial.mistake_if("adds-to-output", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.message.find("out[") != std::string::npos;
  });
}

void grade(int T, int D, int K, Inputs in = {}, bool once = false) {
  Trial trial{{"T", T}, {"D", D}, {"K", K}};
  const int P = T * K;
  if (in.slot_of_pair.empty()) in.slot_of_pair = trial.random().permutation(P);
  const auto Ys = trial.input("Ys", {{"s", P}, {"d", D}}, std::move(in.Ys));
  const auto slot_of_pair = trial.input("slot_of_pair", {{"p", P}}, std::move(in.slot_of_pair));
  const auto gates = trial.input("gates", {{"t", T}, {"j", K}}, std::move(in.gates));
  const auto out = trial.output("out", {{"t", T}, {"d", D}});
  trial.expect(out,
               oracle::combine_tokens(Ys.values(), slot_of_pair.values(), gates.values(), T, D, K));
  know_mistakes(trial, out, Ys, slot_of_pair, gates);
  // No sample of the blocks: clearing first and adding with atomics takes two launches, and is
  // fine.
  if (once) trial.judge_if_quick();
  trial.call(
      [&](cudaStream_t stream) { combine_tokens(Ys, slot_of_pair, gates, out, T, D, K, stream); });
}

// ---- the exercise's own check ----

using Check = bool(const float*, const int*, const float*, int, int, int);

// One batch with gates that sum to 1, its right result, and the learner's judgement of others.
class Judge {
 public:
  // `spread` 0: all rows of Ys are equal. Else those of one token lie close together, and those of
  // other tokens far away.
  Judge(Check* check, Random& random, int T, int D, int K, float spread, float size = 1)
      : check_(check), T_(T), D_(D), K_(K), slot_of_pair_(random.permutation(T * K)) {
    const Values row = random.uniforms(index(D), size, 2 * size);
    for (const int p : oracle::inverse_permutation(slot_of_pair_)) {
      const float shift = spread * static_cast<float>(10 * (p / K) + p % K);
      for (const float y : row) Ys_.push_back(y + shift);
    }
    for (int t = 0; t < T; ++t) {
      const Values weights = random.uniforms(index(K), 0.5f, 2);
      float sum = 0;
      for (const float w : weights) sum += w;
      for (const float w : weights) gates_.push_back(w / sum);
    }
  }

  // What a kernel leaves that takes gate(p) and row(p).
  template <class Gate, class Row>
  Values mix(Gate gate, Row row) const {
    Values out;
    for (int t = 0; t < T_; ++t) {
      for (int d = 0; d < D_; ++d) {
        float sum = 0;
        for (int p = t * K_; p < t * K_ + K_; ++p) sum += gate(p) * Ys_[index(row(p) * D_ + d)];
        out.push_back(sum);
      }
    }
    return out;
  }
  Values right() const {
    return mix([&](int p) { return gate(p); }, [&](int p) { return slot(p); });
  }
  float gate(int p) const { return gates_[index(p)]; }
  int slot(int p) const { return slot_of_pair_[index(p)]; }
  int choice(int p) const { return p % K_; }

  void accepts(const Values& out) const {
    if (judgement(out)) return;
    fail_case("check_combine_tokens returned false for a right result: " + sizes() +
              ", gates that sum to 1.\n"
              "Allow for rounding: 1e-5 of the largest size among the K elements.");
  }
  void rejects(const Values& out, const std::string& what, const std::string& mistake = {}) const {
    if (!judgement(out)) return;
    fail_case(
        "check_combine_tokens returned true for a wrong result: " + sizes() + ", " + what + ".",
        mistake);
  }

 private:
  Check* check_;
  int T_, D_, K_;
  Ints slot_of_pair_;
  Values Ys_, gates_;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::string sizes() const {
    return "T = " + std::to_string(T_) + ", D = " + std::to_string(D_) +
           ", K = " + std::to_string(K_);
  }
  bool judgement(const Values& out) const {
    return check_(Ys_.data(), slot_of_pair_.data(), out.data(), T_, D_, K_);
  }
};

}  // namespace

LESSON_CASE("the lesson's example: what 3 tokens get back") {
  grade(
      3, 2, 2,
      {micro_batch::ints("slot_of_pair"), micro_batch::floats("Ys"), micro_batch::floats("gates")});
}

LESSON_CASE("one token, one column, one choice") {
  grade(1, 1, 1);
  grade(1, 7, 3);
  grade(2, 1, 5);
  grade(5, 3, 1);
}

LESSON_CASE("1 to 16 choices") {
  for (const int K : {1, 2, 3, 8, 15, 16}) grade(19, 5, K);
}

LESSON_CASE("rows as wide as a warp or a block, one less, one more") {
  for (const int D : {31, 32, 33, 127, 129, 255, 256, 257, 521}) grade(3, D, 2);
}

LESSON_CASE("narrow rows: many tokens in a block") {
  for (const int D : {1, 2, 3, 8, 9}) grade(257, D, 2);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [T, D, K] : unequal_triples(random, 6, 6000, {any_size, any_size, most_chosen}))
    grade(T, D, K);
}

LESSON_CASE("no tokens") {
  grade(0, 5, 2);
}

LESSON_CASE("gates that cancel, values of every size") {
  Random random = case_random();
  Inputs in{random.permutation(32), random.extremes(32 * 5, 1e18f), random.extremes(32, 1e18f)};
  grade(8, 5, 4, in);
  in.Ys = random.extremes(32 * 5, 1e38f);  // denormals are kept
  in.gates.assign(32, 1.0f);
  grade(32, 5, 1, in);
  in.Ys = random.values(32 * 5);
  for (std::size_t p = 1; p < 32; p += 2) in.gates[p] = -0.99999f;
  grade(16, 5, 2, in);
}

LESSON_CASE("more than 65,535 tokens") {
  grade(70'000, 1, 1, {}, true);
}

LESSON_CASE("your check, on right results and on planted wrong ones") {
  const auto check = learner_check<Check>("check_combine_tokens");
  Random random = case_random();
  for (const int K : {1, 2, 7, 16}) {
    for (const float size : {1.0f, -3.0f, 1e-20f, 1e20f}) {
      const Judge equal(check, random, 9, 3, K, 0, size);
      equal.accepts(equal.right());
      const Judge apart(check, random, 9, 3, K, size, size);
      apart.accepts(apart.right());
    }
  }
  const Judge empty(check, random, 0, 3, 2, 0);
  empty.accepts(empty.right());

  // All experts answer with the same row, so that each token must get that row.
  for (const float size : {1.0f, -3.0f}) {
    const Judge equal(check, random, 5, 7, 3, 0, size);
    const auto slot = [&](int p) { return equal.slot(p); };
    equal.rejects(equal.mix([](int) { return 1.0f; }, slot),
                  "all rows of Ys are equal, and out is their sum without the gates");
    equal.rejects(equal.mix([&](int p) { return equal.choice(p) == 2 ? 0 : equal.gate(p); }, slot),
                  "all rows of Ys are equal, and out leaves a choice out, so that it is too small",
                  "range-from-zero");
    equal.rejects(equal.mix([&](int p) { return equal.gate(p) * equal.gate(p); }, slot),
                  "all rows of Ys are equal, and out weighs with the squares of the gates",
                  "range-from-zero");
    Values unwritten = equal.right();
    unwritten.back() = std::numeric_limits<float>::quiet_NaN();
    equal.rejects(unwritten, "the last element of out was never written and holds NaN",
                  "nan-passes");
    for (const std::size_t i : {0, 6, 34}) {
      for (const float factor : {0.999f, 1.001f}) {
        Values changed = equal.right();
        changed[i] *= factor;
        equal.rejects(changed, "all rows of Ys are equal, and out[" + std::to_string(i / 7) + "][" +
                                   std::to_string(i % 7) + "] is off by a thousandth");
      }
    }
  }

  // Rows that differ: a row of another token lies outside.
  const Judge apart(check, random, 8, 3, 2, 1);
  apart.rejects(apart.mix([&](int p) { return apart.gate(p); }, [](int p) { return p; }),
                "the rows of Ys differ, and out takes the pair's index for its slot");
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(2, wide_row, 2, {}, true);
}

BENCH_CASE("T = 512, D = 96, K = 4") {
  grade(512, 96, 4);
}
