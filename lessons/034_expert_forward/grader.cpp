// 034 expert_forward: the five steps, in order (Z includes the bias); what is launched is free
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Offsets = std::vector<int>;

constexpr Activation kBoth[] = {Activation::relu, Activation::gelu};

struct Inputs {
  Values Xs, W1, b1, W2, b2;
};

struct Outputs {
  Array<float> Z, A, Ys;
};

void know_mistakes(Trial& trial, const Outputs& out, const oracle::Input& Xs,
                   const oracle::ParamInputs& params, const Offsets& offsets, int P, int E, int D,
                   int H, Activation act) {
  const oracle::ExpertForward right = oracle::expert_forward(Xs, params, offsets, P, E, D, H, act);
  const oracle::Bounded product = oracle::expert_up(Xs, params.W1, offsets, P, E, D, H);
  trial.mistake("bias-forgotten", out.Z, product);
  trial.mistake("bias-forgotten", out.Ys,
                oracle::expert_down(right.A, params.W2, offsets, P, E, H, D));
  trial.mistake("activation-before-bias", out.A, oracle::expert_activation(product, act));
  trial.mistake("activation-on-z", out.Z, right.A);
  oracle::ExpertForward skipped = right;
  skipped.Ys = oracle::expert_down_bias(
      oracle::expert_down(right.Z, params.W2, offsets, P, E, H, D), params.b2, offsets, P, E, D);
  trial.mistake("activation-left-out", out.Ys, skipped.Ys);
  trial.mistake_if("another-stream", [](const Diagnostic& d) { return d.is("wrong_stream"); });
}

void grade(Activation act, Offsets starts, int D, int H, Inputs in = {}, bool once = false) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}, {"H", H}, {"gelu", act == Activation::gelu}};
  const auto Xs = trial.input("Xs", {{"row", P}, {"d", D}}, std::move(in.Xs));
  const auto W1 = trial.input("W1", {{"e", E}, {"d", D}, {"h", H}}, std::move(in.W1));
  const auto b1 = trial.input("b1", {{"e", E}, {"h", H}}, std::move(in.b1));
  const auto W2 = trial.input("W2", {{"e", E}, {"h", H}, {"d", D}}, std::move(in.W2));
  const auto b2 = trial.input("b2", {{"e", E}, {"d", D}}, std::move(in.b2));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, starts);
  const auto Z = trial.output("Z", {{"row", P}, {"h", H}});
  const auto A = trial.output("A", {{"row", P}, {"h", H}});
  const auto Ys = trial.output("Ys", {{"row", P}, {"d", D}});

  const Values w1 = W1.values(), w2 = W2.values(), bias1 = b1.values(), bias2 = b2.values();
  const Values none, rows = Xs.values();
  const oracle::ParamInputs params{none, w1, bias1, w2, bias2};
  const oracle::ExpertForward right = oracle::expert_forward(rows, params, starts, P, E, D, H, act);
  trial.expect(Z, right.Z);
  trial.expect(A, right.A);
  trial.expect(Ys, right.Ys);
  know_mistakes(trial, {Z, A, Ys}, rows, params, starts, P, E, D, H, act);
  if (once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) {
    const MoeParams pointers{nullptr, W1, b1, W2, b2};
    expert_forward(Xs, pointers, offsets, Z, A, Ys, P, E, D, H, act, stream);
  });
}

// ---- the exercise's own check ----

using Check = bool(const float*, const float*, const float*, const float*, const float*,
                   const float*, const float*, int, int, int, Activation);

// One expert with P rows, and what a kernel makes of them that has a fault, or none.
struct Network {
  int P, D, H;
  Activation act;
  Values Xs, W1, b1, W2, b2;

  struct Slip {
    bool bias1 = true, bias2 = true;
    bool turned1 = false, turned2 = false;  // W1, W2 read with their widths swapped
    bool activated = true;
    bool other = false;         // the other activation
    bool bias_after = false;    // b1 is added to what the activation has left
    bool written_over = false;  // Z holds A
  };
  struct Result {
    Values Z, Ys;
  };

  Network(Random& random, int rows, int width, int hidden, Activation activation)
      : P(rows), D(width), H(hidden), act(activation) {
    Xs = random.values(size(P, D));
    W1 = random.values(size(D, H));
    b1 = random.values(size(1, H));
    W2 = random.values(size(H, D));
    b2 = random.values(size(1, D));
  }

  static std::size_t size(int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  }
  static std::size_t at(int row, int width, int column) {
    return size(row, width) + static_cast<std::size_t>(column);
  }
  float activate(float z, bool other) const {
    if ((act == Activation::relu) != other) return z > 0 ? z : 0;
    return 0.5f * z * (1 + std::tanh(0.79788456f * (z + 0.044715f * z * z * z)));
  }

  Result run(const Slip& slip) const {
    Result result;
    for (int row = 0; row < P; ++row) {
      Values a;
      for (int h = 0; h < H; ++h) {
        float sum = 0;
        for (int d = 0; d < D; ++d)
          sum += Xs[at(row, D, d)] * W1[slip.turned1 ? at(h, D, d) : at(d, H, h)];
        const float bias = slip.bias1 ? b1[at(0, H, h)] : 0.0f;
        const float z = slip.bias_after ? sum : sum + bias;
        float value = slip.activated ? activate(z, slip.other) : z;
        if (slip.bias_after) value += bias;
        a.push_back(value);
        result.Z.push_back(slip.written_over ? value : sum + bias);
      }
      for (int d = 0; d < D; ++d) {
        float sum = 0;
        for (int h = 0; h < H; ++h)
          sum += a[at(0, H, h)] * W2[slip.turned2 ? at(d, H, h) : at(h, D, d)];
        result.Ys.push_back(slip.bias2 ? sum + b2[at(0, D, d)] : sum);
      }
    }
    return result;
  }
};

class Judge {
 public:
  Judge(Check* check, Network network) : check_(check), network_(std::move(network)) {}

  void accepts() const {
    if (judgement(network_.run({}))) return;
    fail_case("check_expert_forward returned false for a right result: " + sizes() +
              ".\nAllow for rounding by is_sum, with the sum of the terms' sizes.");
  }
  void rejects(const std::string& what, const Network::Slip& slip,
               const std::string& mistake = {}) const {
    rejects(what, network_.run(slip), mistake);
  }
  void rejects(const std::string& what, const Network::Result& result,
               const std::string& mistake = {}) const {
    if (!judgement(result)) return;
    fail_case(
        "check_expert_forward returned true for a wrong result: " + sizes() + ", " + what + ".",
        mistake);
  }
  Network::Result right() const { return network_.run({}); }

 private:
  Check* check_;
  Network network_;

  std::string sizes() const {
    return "P = " + std::to_string(network_.P) + ", D = " + std::to_string(network_.D) +
           ", H = " + std::to_string(network_.H) +
           (network_.act == Activation::relu ? ", relu" : ", gelu");
  }
  bool judgement(const Network::Result& result) const {
    const Network& n = network_;
    return check_(n.Xs.data(), n.W1.data(), n.b1.data(), n.W2.data(), n.b2.data(), result.Z.data(),
                  result.Ys.data(), n.P, n.D, n.H, n.act);
  }
};

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle") {
  const auto floats = [](const char* name) { return micro_batch::floats(name); };
  const Inputs in{floats("Xs"), floats("W1"), floats("b1"), floats("W2"), floats("b2")};
  for (const Activation act : kBoth) grade(act, micro_batch::ints("offsets"), 2, 3, in);
}

LESSON_CASE("one row, one expert, one column") {
  for (const Activation act : kBoth) grade(act, {0, 1}, 1, 1);
  grade(Activation::gelu, {0, 1}, 5, 3);
  grade(Activation::relu, {0, 0, 1, 1}, 2, 1);
}

LESSON_CASE("one expert: a plain network of two layers") {
  for (const Activation act : kBoth) grade(act, {0, 19}, 4, 7);
}

LESSON_CASE("empty experts at the front, in the middle, at the end") {
  grade(Activation::gelu, oracle::expert_offsets({0, 0, 5, 2}), 3, 4);
  grade(Activation::relu, oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 4, 3);
  grade(Activation::gelu, oracle::expert_offsets({2, 9, 0, 0}), 2, 5);
}

LESSON_CASE("one expert takes all rows") {
  grade(Activation::relu, oracle::expert_offsets({0, 37, 0}), 3, 5);
  grade(Activation::gelu, oracle::expert_offsets({0, 0, 0, 37}), 5, 2);
}

LESSON_CASE("tiles and warps, one less, one more") {
  for (const int width : {15, 17, 33})
    grade(Activation::gelu, oracle::expert_offsets({2, 0, 9}), width, 16);
  for (const int hidden : {31, 33})
    grade(Activation::relu, oracle::expert_offsets({17, 0, 3}), 4, hidden);
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D, H] : unequal_triples(random, 3, 3000)) {
    grade(random.coin() ? Activation::relu : Activation::gelu,
          random_offsets(random, P, random.integer(2, 12)), D, H);
  }
}

LESSON_CASE("1,024 experts, few rows") {
  Random random = case_random();
  grade(Activation::gelu, random_offsets(random, 5, 1024), 2, 3, {}, true);
}

LESSON_CASE("no rows") {
  for (const Activation act : kBoth) grade(act, {0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("your check, on right results and on planted wrong ones") {
  const auto check = learner_check<Check>("check_expert_forward");
  Random random = case_random();
  for (const Activation act : kBoth) {
    for (const int P : {0, 1, 6}) Judge(check, Network(random, P, 3, 5, act)).accepts();
    Judge(check, Network(random, 4, 7, 2, act)).accepts();
    Judge(check, Network(random, 3, 20, 30, act)).accepts();

    const Judge judge(check, Network(random, 9, 3, 5, act));
    judge.rejects("b2 was never added", {.bias2 = false});
    judge.rejects("Z is right, but Ys was made from A = Z, without the activation",
                  {.activated = false});
    judge.rejects("Z is right, but Ys was made with the other activation", {.other = true});
    judge.rejects("Z is right, but b1 was added after the activation", {.bias_after = true});
    judge.rejects("W2 was read with its widths swapped", {.turned2 = true});
    Network::Result result = judge.right();
    result.Ys.back() = std::numeric_limits<float>::quiet_NaN();
    judge.rejects("the last element of Ys was never written and holds NaN", result);
    result = judge.right();
    result.Ys.front() += 0.01f;
    judge.rejects("Ys[0, 0] is 0.01 too large", result);
    result = judge.right();
    std::rotate(result.Ys.begin(), result.Ys.begin() + 3, result.Ys.end());
    judge.rejects("every row of Ys is that of the next row", result);
    // A check that takes Z as it is has nothing against these.
    judge.rejects("b1 was never added", {.bias1 = false}, "check-skips-z");
    judge.rejects("Ys is right, but the activation was written over Z", {.written_over = true},
                  "check-skips-z");
    judge.rejects("W1 was read with its widths swapped", {.turned1 = true}, "check-skips-z");
    result = judge.right();
    result.Z.back() = std::numeric_limits<float>::quiet_NaN();
    judge.rejects("the last element of Z was never written and holds NaN", result, "check-skips-z");
  }
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(Activation::relu, {0, 2}, 2, wide_row, {}, true);
  grade(Activation::gelu, {0, 2}, wide_row, 2, {}, true);
}

BENCH_CASE("P = 48, E = 4, D = 32, H = 64, GELU, an expert without rows") {
  grade(Activation::gelu, oracle::expert_offsets({20, 0, 12, 16}), 32, 64);
}
