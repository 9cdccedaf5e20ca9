// 050 moe_backward: the reverse of 049, both paths into X, the auxiliary loss included
#include "testing/grader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testing/layer.h"

using namespace testing;

namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

// Rounded to floats, as the kernel finds it in the workspace.
oracle::Input rounded_input(const oracle::Bounded& array) {
  return Floats(array.value.begin(), array.value.end());
}

oracle::ForwardInputs rounded_inputs(const oracle::Forward& f) {
  return {rounded_input(f.logits),
          rounded_input(f.probs),
          f.experts,
          rounded_input(f.gates),
          f.counts,
          f.offsets,
          f.slot_of_pair,
          f.pair_of_slot,
          rounded_input(f.Xs),
          rounded_input(f.Z),
          rounded_input(f.A),
          rounded_input(f.Ys),
          rounded_input(f.fractions),
          rounded_input(f.mean_probs)};
}

oracle::BoundedParams zeros(const MoeConfig& config) {
  return oracle::zero_grads(config);
}

// `gradient`: dOut; without it, random numbers, and what the gradients held before is random too.
void grade(const Layer& layer, Floats gradient = {}, int calls = 1) {
  const auto [T, D, H, E, K, activation, alpha] = layer.config;
  Trial trial{{"T", T}, {"D", D}, {"H", H}, {"E", E}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, layer.X);
  const ParamArrays params = param_inputs(trial, layer);
  const oracle::Forward saved = oracle::moe_forward(layer.config, layer.params(), layer.X);
  const bool cleared = !gradient.empty();
  const auto dOut = trial.input("dOut", {{"t", T}, {"d", D}}, std::move(gradient));
  const WorkspaceArrays ws = workspace_inputs(trial, layer.config, saved);
  const ParamArrays grads = grads_accumulated(trial, layer.config, cleared);
  const auto dX = trial.output("dX", {{"t", T}, {"d", D}});

  const auto backward = [&](const MoeConfig& config, const oracle::ParamInputs& before) {
    return oracle::moe_backward(config, layer.params(), layer.X, dOut.values(),
                                rounded_inputs(saved), before);
  };
  oracle::Backward right = backward(layer.config, values_before(grads));
  for (int call = 1; call < calls; ++call) {
    const oracle::BoundedParams first = right.grads;
    right.grads = backward(layer.config, first.inputs()).grads;
  }
  expect(trial, grads, right.grads);
  trial.expect(dX, right.dX);

  trial.mistake("router-part-missing", dX,
                oracle::gather_tokens_backward(right.dXs, saved.slot_of_pair, T, D, K));
  MoeConfig without_aux = layer.config;
  without_aux.aux_alpha = 0;
  if (calls == 1)
    trial.mistake("aux-forgotten", grads.Wg, backward(without_aux, values_before(grads)).grads.Wg);
  const oracle::BoundedParams none = zeros(layer.config);
  mistake(trial, "overwrites", grads, backward(layer.config, none.inputs()).grads);
  trial.mistake_if("adds-to-dx", [](const Diagnostic& d) {
    return d.is("uninitialized_read") && d.array == "dX";
  });
  trial.mistake_if("saved-field-written",
                   [](const Diagnostic& d) { return d.is("input_written"); });
  trial.call([&](cudaStream_t stream) {
    MoeWorkspace pointers = ws.pointers();
    for (int call = 0; call < calls; ++call)
      moe_backward(layer.config, params.pointers(), X, dOut, pointers, grads.pointers(), dX,
                   stream);
  });
}

void grade_random(const MoeConfig& config, const std::vector<int>& empty = {}, int calls = 1) {
  Random random = case_random();
  grade(random_layer(random, config, empty), {}, calls);
}

// A layer in which the part of the auxiliary loss is far above the rounding.
void grade_small_alpha(Random& random, const MoeConfig& config) {
  MoeConfig without_aux = config;
  without_aux.aux_alpha = 0;
  while (true) {
    const Layer layer = random_layer(random, config);
    const Floats dOut = random.values(layer.X.size());
    const oracle::Forward saved = oracle::moe_forward(config, layer.params(), layer.X);
    const auto weights = [&](const MoeConfig& with) {
      return oracle::moe_backward(with, layer.params(), layer.X, dOut, rounded_inputs(saved),
                                  zeros(with).inputs())
          .grads.Wg;
    };
    const oracle::Bounded right = weights(config), wrong = weights(without_aux);
    double most = 0;
    for (std::size_t i = 0; i < right.value.size(); ++i)
      most = std::max(most, std::fabs(right.value[i] - wrong.value[i]) / right.bound[i]);
    if (most < 10) continue;
    grade(layer, dOut);
    return;
  }
}

constexpr Activation relu = Activation::relu, gelu = Activation::gelu;

// ---- the exercise's own check ----

using Check = bool(const float*, const float*, int, double, double, double);

// L = <dOut, out> + aux of one layer, its gradients in double precision, and the loss at a distance
// along a direction, with the experts held.
class Judge {
 public:
  Judge(Check* check, Random& random, const MoeConfig& config)
      : check_(check), random_(random), layer_(random_layer(random, config)) {
    dOut_ = random.values(layer_.X.size());
    saved_ = oracle::moe_forward(config, layer_.params(), layer_.X);
    right_ = gradients(config);
  }

  // All judgements along `count` directions, for dX and for the gradient of Wg.
  void judge(int count) {
    MoeConfig without_aux = layer_.config;
    without_aux.aux_alpha = 0;
    const oracle::Backward no_aux = gradients(without_aux);
    Doubles dispatch = right_.dX.value;
    for (std::size_t i = 0; i < dispatch.size(); ++i) dispatch[i] -= right_.dX_router.value[i];
    for (int i = 0; i < count; ++i) {
      along(layer_.X, right_.dX.value,
            {{"dX lacks the part by the router", dispatch},
             {"the auxiliary loss was forgotten", no_aux.dX.value}});
      along(layer_.Wg, right_.grads.Wg.value,
            {{"grads.Wg, where the auxiliary loss was forgotten", no_aux.grads.Wg.value}});
    }
  }

 private:
  struct Wrong {
    std::string what;
    Doubles gradient;
  };

  Check* check_;
  Random& random_;
  Layer layer_;
  Floats dOut_;
  oracle::Forward saved_;
  oracle::Backward right_;

  oracle::Backward gradients(const MoeConfig& config) const {
    return oracle::moe_backward(config, layer_.params(), layer_.X, dOut_, saved_.inputs(),
                                zeros(config).inputs());
  }

  double loss(const Floats& moved, const Floats& direction, double step) const {
    Doubles there(moved.begin(), moved.end());
    for (std::size_t i = 0; i < there.size(); ++i) there[i] += step * direction[i];
    oracle::ParamInputs params = layer_.params();
    oracle::Input X = layer_.X;
    (&moved == &layer_.X ? X : params.Wg) = there;
    const oracle::Forward f = oracle::moe_forward_frozen(layer_.config, params, X, saved_.experts);
    double sum = f.aux.value[0];
    for (std::size_t i = 0; i < dOut_.size(); ++i) sum += dOut_[i] * f.out.value[i];
    return sum;
  }

  static double slope(const Doubles& gradient, const Floats& direction) {
    double sum = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) sum += gradient[i] * direction[i];
    return sum;
  }

  void along(const Floats& moved, const Doubles& gradient, std::vector<Wrong> wrong) {
    Doubles more = gradient, less = gradient, turned = gradient;
    for (double& g : more) g += random_.value();
    for (double& g : less) g = 0;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      if (std::fabs(gradient[i]) > std::fabs(gradient[largest])) largest = i;
    turned[largest] = -turned[largest];
    wrong.push_back({"it was added to what the array held", more});
    wrong.push_back({"all elements are 0", less});
    wrong.push_back({"one element has the wrong sign", turned});

    // A direction in which nothing cancels, and each wrong one shows.
    Floats direction;
    double size = 0;
    const auto shows = [&](const Doubles& other) {
      return std::fabs(slope(other, direction) - slope(gradient, direction)) > 0.02 * size;
    };
    do {
      direction = random_.values(gradient.size());
      size = 0;
      for (std::size_t i = 0; i < gradient.size(); ++i)
        size += std::fabs(gradient[i] * direction[i]);
    } while (std::fabs(slope(gradient, direction)) < 0.2 * size ||
             !std::ranges::all_of(wrong, [&](const Wrong& w) { return shows(w.gradient); }));

    for (const double h : {1e-4, 4e-5}) {
      const double ahead = loss(moved, direction, h), behind = loss(moved, direction, -h);
      CHECK_MESSAGE(
          std::fabs((ahead - behind) / (2 * h) - slope(gradient, direction)) <= 1e-5 * size,
          "the oracle's own gradient");
      for (const double scale : {1.0, 0x1p-22, 1024.0}) {
        const auto judgement = [&](const Doubles& values) {
          Floats floats;
          for (const double g : values) floats.push_back(static_cast<float>(g * scale));
          return check_(floats.data(), direction.data(), static_cast<int>(floats.size()),
                        ahead * scale, behind * scale, h);
        };
        const std::string how = " (n = " + std::to_string(gradient.size()) +
                                ", h = " + (h == 1e-4 ? "1e-4" : "4e-5") +
                                (scale < 1 ? ", all gradients of about 1e-7" : "") + ").";
        if (!judgement(gradient)) {
          fail_case("check_moe_backward returned false for a right gradient" + how +
                    "\nThe two losses lie 2 h apart; allow 1e-3 of the sum of the sizes of "
                    "the products.");
          return;
        }
        for (const Wrong& w : wrong) {
          if (!judgement(w.gradient)) continue;
          fail_case("check_moe_backward returned true for a wrong gradient: " + w.what + how,
                    scale < 1 ? "fixed-tolerance" : "");
          return;
        }
        Doubles unwritten = gradient;
        unwritten.back() = std::numeric_limits<double>::quiet_NaN();
        if (judgement(unwritten)) {
          fail_case(
              "check_moe_backward returned true for a wrong gradient: the last element is NaN" +
              how);
          return;
        }
      }
    }
  }
};

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 of 4 experts") {
  grade(micro_batch::layer(), micro_batch::floats("dOut"));
}

LESSON_CASE("sizes that all differ, both activations") {
  grade_random({5, 3, 4, 6, 2, gelu, 0.5f});
  grade_random({7, 6, 2, 5, 3, relu, 0.7f});
}

LESSON_CASE("experts without tokens: their gradients stay as they are") {
  grade_random({5, 3, 2, 6, 2, relu, 0.3f}, {0, 3});
  grade_random({6, 3, 2, 4, 1, gelu, 0.3f}, {0, 1, 3});
}

LESSON_CASE("one token; one choice; all experts chosen") {
  grade_random({1, 3, 2, 5, 4, gelu, 0.4f});
  grade_random({4, 2, 3, 5, 1, relu, 0.4f});
  grade_random({6, 2, 4, 3, 3, gelu, 0.4f});
}

LESSON_CASE("two calls: the parameters' gradients add up, dX does not") {
  grade_random({4, 3, 5, 6, 2, gelu, 0.5f}, {}, 2);
}

LESSON_CASE("a small alpha: its share of the gradients counts") {
  Random random = case_random();
  grade_small_alpha(random, {5, 3, 4, 6, 2, gelu, 0.01f});
  grade_small_alpha(random, {6, 4, 2, 5, 1, relu, random.uniform(0.01f, 0.05f)});
}

LESSON_CASE("alpha 0; no tokens") {
  grade_random({3, 4, 2, 5, 2, relu, 0.0f});
  grade_random({0, 3, 2, 5, 2, gelu, 0.1f});
}

LESSON_CASE("many experts; many choices") {
  grade_random({7, 8, 4, 20, 3, gelu, 0.1f});
  grade_random({3, 2, 3, 12, 10, relu, 0.1f});
}

LESSON_CASE("your check, on right gradients and on planted wrong ones") {
  const auto check = learner_check<Check>("check_moe_backward");
  Random random = case_random();
  Judge(check, random, {4, 3, 2, 5, 2, gelu, 2.0f}).judge(2);
}

BENCH_CASE("T = 64, D = 16, H = 32, E = 8, K = 2") {
  grade_random({64, 16, 32, 8, 2, gelu, 0.1f});
}
