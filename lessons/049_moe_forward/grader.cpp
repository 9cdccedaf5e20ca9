// 049 moe_forward: router, dispatch, experts, combine, auxiliary loss
#include "testing/grader.h"

#include "testing/layer.h"

using namespace testing;

namespace {

void know_mistakes(Trial& trial, const Layer& layer, const WorkspaceArrays& ws,
                   const Array<float>& out, const oracle::Forward& right, const Results& results) {
  const auto [T, D, H, E, K, activation, alpha] = layer.config;
  trial.mistake("tokens-for-pairs", ws.fractions, oracle::dispatch_fractions(right.counts, T));
  trial.mistake("logits-for-probs", ws.gates,
                oracle::router_topk(results(ws.logits), T, E, K).gates);
  trial.mistake(
      "slots-swapped", out,
      oracle::combine_tokens(results(ws.Ys), right.pair_of_slot, results(ws.gates), T, D, K));
  trial.mistake("wrong-loss", ws.losses, [aux = right.aux](int i) -> Expected {
    return i == 0 ? Expected(aux.value[0], aux.bound[0]) : Expected::unwritten();
  });
}

void grade(const Layer& layer, int calls = 1) {
  const auto [T, D, H, E, K, activation, alpha] = layer.config;
  Trial trial{{"T", T}, {"D", D}, {"H", H}, {"E", E}, {"K", K}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, layer.X);
  const ParamArrays params = param_inputs(trial, layer);
  const WorkspaceArrays ws = workspace_outputs(trial, layer.config);
  const auto out = trial.output("out", {{"t", T}, {"d", D}});
  trial.judge_each_run([&](const Results& results) {
    const oracle::Forward right = expect_forward(trial, layer, layer.params(), ws, out, results);
    // The first loss is 045's; here it may be anything.
    const double first = results(ws.losses)[0];
    trial.expect(ws.losses, [first, aux = right.aux](int i) {
      return i == 0 ? Expected(first) : Expected(aux.value[0], aux.bound[0]);
    });
    know_mistakes(trial, layer, ws, out, right, results);
  });
  trial.mistake_if("waits", [](const Diagnostic& d) { return d.is("forbidden_call"); });
  trial.mistake_if("out-of-order", [](const Diagnostic& d) {
    return (d.is("uninitialized_read") && d.message.find("ws.") != std::string::npos) ||
           (d.is("out_of_bounds") && d.kernel.starts_with("assign_slots"));
  });
  trial.call([&](cudaStream_t stream) {
    MoeWorkspace pointers = ws.pointers();
    for (int call = 0; call < calls; ++call)
      moe_forward(layer.config, params.pointers(), X, pointers, out, stream);
  });
}

void grade_random(const MoeConfig& config, const std::vector<int>& empty = {}) {
  Random random = case_random();
  grade(random_layer(random, config, empty));
}

constexpr Activation relu = Activation::relu, gelu = Activation::gelu;

}  // namespace

LESSON_CASE("the lesson's example: 3 tokens, 2 of 4 experts") {
  grade(micro_batch::layer());
}

LESSON_CASE("sizes that all differ, both activations") {
  grade_random({5, 3, 4, 6, 2, gelu, 0.1f});
  grade_random({7, 6, 2, 5, 3, relu, 0.5f});
  grade_random({3, 2, 7, 4, 1, gelu, 0.2f});
}

LESSON_CASE("experts without tokens: first, in the middle, last, all but one") {
  grade_random({5, 3, 2, 6, 2, relu, 0.1f}, {0, 3});
  grade_random({4, 2, 3, 5, 2, gelu, 0.1f}, {4});
  grade_random({6, 3, 2, 4, 1, gelu, 0.3f}, {0, 1, 3});
}

LESSON_CASE("one token; one expert; all experts chosen") {
  grade_random({1, 3, 2, 5, 4, gelu, 0.1f});
  grade_random({1, 1, 1, 1, 1, relu, 1.0f});
  grade_random({6, 2, 4, 3, 3, relu, 0.1f});
}

LESSON_CASE("no tokens: counts, offsets, shares and the loss are 0") {
  grade_random({0, 3, 2, 5, 2, gelu, 0.1f});
}

LESSON_CASE("alpha 0; two calls, which leave what one leaves") {
  Random random = case_random();
  grade(random_layer(random, {4, 3, 5, 6, 2, relu, 0.0f}), 2);
}

LESSON_CASE("exact ties, and probabilities of exactly 0") {
  Random random = case_random();
  Layer layer = random_layer(random, {4, 2, 3, 6, 3, gelu, 0.1f});
  for (float& w : layer.Wg) w = 0;
  grade(layer);
  layer = random_layer(random, {4, 2, 3, 5, 2, gelu, 0.1f});
  for (float& w : layer.Wg) w *= 300;
  grade(layer);
}

LESSON_CASE("many experts; many choices") {
  grade_random({7, 8, 4, 20, 3, gelu, 0.1f});
  grade_random({3, 2, 3, 12, 10, relu, 0.1f});
}

BENCH_CASE("T = 64, D = 16, H = 32, E = 8, K = 2") {
  grade_random({64, 16, 32, 8, 2, gelu, 0.1f});
}
