// 040 expert_backward: 035 to 039 in the reverse of the forward, then dXs_e = dZ_e W1[e]^T
#include "testing/grader.h"

#include <cmath>

using namespace testing;

namespace {

using Values = std::vector<float>;
using Ints = std::vector<int>;

// Left empty: random.
struct Inputs {
  Values Xs, Z, A, dYs, W1, W2, held;  // held: what each gradient is filled with
};

struct Options {
  int calls = 1;
  bool once = false;
};

Values filled(const Values& like, int n) {
  return like.empty() ? Values() : Values(static_cast<std::size_t>(n), like[0]);
}

void grade(Activation act, Ints starts, int D, int H, Inputs in = {}, Options options = {}) {
  const int P = starts.back(), E = static_cast<int>(starts.size()) - 1;
  Trial trial{{"P", P}, {"E", E}, {"D", D}, {"H", H}, {"gelu", act == Activation::gelu}};
  const auto Xs = trial.input("Xs", {{"row", P}, {"d", D}}, std::move(in.Xs));
  const auto Z = trial.input("Z", {{"row", P}, {"h", H}}, std::move(in.Z));
  if (in.A.empty()) {  // the forward's, rounded
    const oracle::Bounded exact = oracle::expert_activation(Z.values(), act);
    in.A.assign(exact.value.begin(), exact.value.end());
  }
  const auto A = trial.input("A", {{"row", P}, {"h", H}}, std::move(in.A));
  const auto dYs = trial.input("dYs", {{"row", P}, {"d", D}}, std::move(in.dYs));
  const auto offsets = trial.input("offsets", {{"e", E + 1}}, std::move(starts));
  const auto Wg = trial.input("params.Wg", {{"d", D}, {"e", E}});
  const auto W1 = trial.input("params.W1", {{"e", E}, {"d", D}, {"h", H}}, std::move(in.W1));
  const auto b1 = trial.input("params.b1", {{"e", E}, {"h", H}});
  const auto W2 = trial.input("params.W2", {{"e", E}, {"h", H}, {"d", D}}, std::move(in.W2));
  const auto b2 = trial.input("params.b2", {{"e", E}, {"d", D}});
  const auto dWg = trial.input("grads.Wg", {{"d", D}, {"e", E}});  // not touched here
  const auto dW1 =
      trial.accumulated("grads.W1", {{"e", E}, {"d", D}, {"h", H}}, filled(in.held, E * D * H));
  const auto db1 = trial.accumulated("grads.b1", {{"e", E}, {"h", H}}, filled(in.held, E * H));
  const auto dW2 =
      trial.accumulated("grads.W2", {{"e", E}, {"h", H}, {"d", D}}, filled(in.held, E * H * D));
  const auto db2 = trial.accumulated("grads.b2", {{"e", E}, {"d", D}}, filled(in.held, E * D));
  const auto dA = trial.output("dA", {{"row", P}, {"h", H}});
  const auto dZ = trial.output("dZ", {{"row", P}, {"h", H}});
  const auto dXs = trial.output("dXs", {{"row", P}, {"d", D}});

  const oracle::ParamInputs weights{Wg.values(), W1.values(), b1.values(), W2.values(),
                                    b2.values()};
  const auto backward = [&](const oracle::ParamInputs& held) {
    return oracle::expert_backward(Xs.values(), Z.values(), A.values(), dYs.values(), weights,
                                   offsets.values(), held, P, E, D, H, act);
  };
  oracle::ExpertBackward right =
      backward({dWg.values(), dW1.values(), db1.values(), dW2.values(), db2.values()});
  for (int each = 1; each < options.calls; ++each) {
    const oracle::BoundedParams before = right.grads;
    right = backward(before.inputs());
  }
  trial.expect(dA, right.dA);
  trial.expect(dZ, right.dZ);
  trial.expect(dW1, right.grads.W1);
  trial.expect(db1, right.grads.b1);
  trial.expect(dW2, right.grads.W2);
  trial.expect(db2, right.grads.b2);
  trial.expect(dXs, right.dXs);

  if (act == Activation::gelu) {
    trial.mistake("slope-at-the-activation", dZ,
                  oracle::expert_activation_grad(A.values(), right.dA, act));
  }
  trial.mistake("written-over", dA, right.dZ);
  const Values none(W2.size(), 0.0f);
  trial.mistake("cleared-first", dW2,
                oracle::expert_down_weight_grad(A.values(), dYs.values(), offsets.values(), none, P,
                                                E, H, D));
  if (options.calls == 1) {
    trial.mistake("activation-skipped", dW2,
                  oracle::expert_down_weight_grad(Z.values(), dYs.values(), offsets.values(),
                                                  dW2.values(), P, E, H, D));
    trial.mistake(
        "bias-twice", db1,
        oracle::expert_down_bias_grad(right.dZ, offsets.values(), right.grads.b1, P, E, H));
  }
  // Read from the first element on: where only the last ones are missing, the rest had its turn.
  trial.mistake_if("out-of-order", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && (d.message.find("dA[row=0, h=0]") != std::string::npos ||
                                          d.message.find("dZ[row=0, h=0]") != std::string::npos);
  });
  trial.mistake_if("widths-not-swapped", [](const Diagnostic& d) {
    return d.is("out_of_bounds") && d.kernel.starts_with("expert_hidden_grad");
  });

  if (options.once) trial.limit_runs(1);
  trial.call([&](cudaStream_t stream) {
    const MoeParams params{Wg, W1, b1, W2, b2};
    const MoeParams grads{dWg, dW1, db1, dW2, db2};
    for (int each = 0; each < options.calls; ++each) {
      expert_backward(Xs, Z, A, dYs, params, offsets, dA, dZ, dXs, grads, P, E, D, H, act, stream);
    }
  });
}

constexpr Activation kBoth[] = {Activation::relu, Activation::gelu};

}  // namespace

LESSON_CASE("the micro-batch: 6 rows, 4 experts, one of them idle, gradients of 1 before") {
  grade(Activation::relu, micro_batch::ints("offsets"), 2, 3,
        {micro_batch::floats("Xs"),
         micro_batch::floats("Z"),
         micro_batch::floats("A"),
         micro_batch::floats("dYs"),
         micro_batch::floats("W1"),
         micro_batch::floats("W2"),
         {1.0f}});
}

LESSON_CASE("GELU: the slope is taken at Z") {
  grade(Activation::gelu, oracle::expert_offsets({3, 0, 2}), 5, 3);
}

LESSON_CASE("one row, one expert, one column") {
  grade(Activation::relu, {0, 1}, 1, 1);
  grade(Activation::relu, {0, 1}, 5, 3, {}, {.once = true});
  grade(Activation::gelu, {0, 1, 2, 3}, 1, 2);
}

LESSON_CASE("empty experts keep their gradients: at the front, in the middle, at the end") {
  grade(Activation::relu, oracle::expert_offsets({0, 0, 5, 2}), 3, 4, {}, {.once = true});
  grade(Activation::gelu, oracle::expert_offsets({4, 0, 0, 3, 0, 1}), 4, 3);
  grade(Activation::relu, oracle::expert_offsets({2, 9, 0, 0}), 2, 5, {}, {.once = true});
}

LESSON_CASE("one expert takes all rows") {
  grade(Activation::gelu, oracle::expert_offsets({0, 37, 0}), 3, 5);
}

LESSON_CASE("two calls: gradients of parameters add up, dA, dZ and dXs do not") {
  for (const Activation act : kBoth)
    grade(act, oracle::expert_offsets({5, 0, 8}), 7, 4, {}, {.calls = 2});
}

LESSON_CASE("sizes that all differ") {
  Random random = case_random();
  for (const auto [P, D, H] : unequal_triples(random, 2, 2000)) {
    grade(random.coin() ? Activation::relu : Activation::gelu,
          random_offsets(random, P, random.integer(2, 6)), D, H, {}, {.once = true});
  }
}

LESSON_CASE("many experts, many rows") {
  Random random = case_random();
  grade(Activation::relu, random_offsets(random, 9, 40), 2, 3, {}, {.once = true});
  grade(Activation::gelu, oracle::expert_offsets({3, 530}), 2, 1, {}, {.once = true});
}

LESSON_CASE("no rows: gradients stay as they are") {
  for (const Activation act : kBoth) grade(act, {0, 0, 0, 0}, 5, 3);
}

LESSON_CASE("full binary32 accuracy") {
  grade(Activation::relu, oracle::expert_offsets({6, 2}), 4, 5, {{}, {}, {}, {}, {}, {}, {0.0f}});
}

LESSON_CASE("the exact gradients agree with the forward pass") {
  // A small step of everything at once moves <dYs, Ys> by the step along the gradients.
  Random random = case_random();
  const int P = 7, E = 3, D = 4, H = 5;
  const Ints offsets = oracle::expert_offsets({4, 0, 3});
  const std::size_t sizes[] = {P * D, E * D * H, E * H, E * H * D, E * D};
  std::vector<double> at[5], along[5];
  for (int i = 0; i < 5; ++i) {
    const Values a = random.values(sizes[i]), b = random.values(sizes[i]);
    at[i].assign(a.begin(), a.end());
    along[i].assign(b.begin(), b.end());
  }
  const Values dYs = random.values(P * D);
  const std::vector<double> Wg(D * E);
  const auto forward = [&](double step) {
    std::vector<double> moved[5];
    for (int i = 0; i < 5; ++i) {
      moved[i] = at[i];
      for (std::size_t j = 0; j < sizes[i]; ++j) moved[i][j] += step * along[i][j];
    }
    return oracle::expert_forward(moved[0], {Wg, moved[1], moved[2], moved[3], moved[4]}, offsets,
                                  P, E, D, H, Activation::gelu);
  };
  const auto loss = [&](double step) {
    const oracle::ExpertForward now = forward(step);
    double sum = 0;
    for (std::size_t i = 0; i < dYs.size(); ++i) sum += dYs[i] * now.Ys.value[i];
    return sum;
  };
  const oracle::ExpertForward now = forward(0);
  const std::vector<double> zeros[] = {std::vector<double>(sizes[1]), std::vector<double>(sizes[2]),
                                       std::vector<double>(sizes[3]),
                                       std::vector<double>(sizes[4])};
  const oracle::ExpertBackward back = oracle::expert_backward(
      at[0], now.Z.value, now.A.value, dYs, {Wg, at[1], at[2], at[3], at[4]}, offsets,
      {Wg, zeros[0], zeros[1], zeros[2], zeros[3]}, P, E, D, H, Activation::gelu);
  const oracle::Bounded* const gradients[] = {&back.dXs, &back.grads.W1, &back.grads.b1,
                                              &back.grads.W2, &back.grads.b2};
  double predicted = 0, size = 0;
  for (int i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < sizes[i]; ++j) {
      predicted += gradients[i]->value[j] * along[i][j];
      size += std::fabs(gradients[i]->value[j] * along[i][j]);
    }
  }
  const double step = 1e-5, slope = (loss(step) - loss(-step)) / (2 * step);
  if (!(std::fabs(slope - predicted) < 1e-6 * size)) {
    fail_case("the grader's gradients do not fit its forward pass");
  }
}

LESSON_CASE("rows wider than a block, and than 48 KB") {
  grade(Activation::relu, {0, 2}, 2, wide_row, {}, {.once = true});
  grade(Activation::gelu, {0, 2}, wide_row, 2, {}, {.once = true});
}

BENCH_CASE("P = 48, E = 3, D = 16, H = 32, GELU") {
  grade(Activation::gelu, oracle::expert_offsets({30, 0, 18}), 16, 32, {}, {.once = true});
}
