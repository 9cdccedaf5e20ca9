// 051 train_step: zero, forward, loss, backward, update
#include "testing/grader.h"

#include "testing/layer.h"

using namespace testing;

namespace {

oracle::BoundedParams updated(const oracle::ParamInputs& before, const oracle::ParamInputs& grads,
                              double lr) {
  return {oracle::sgd_update(before.Wg, grads.Wg, lr), oracle::sgd_update(before.W1, grads.W1, lr),
          oracle::sgd_update(before.b1, grads.b1, lr), oracle::sgd_update(before.W2, grads.W2, lr),
          oracle::sgd_update(before.b2, grads.b2, lr)};
}

oracle::ParamInputs left_in(const ParamArrays& arrays, const Results& results) {
  return {results(arrays.Wg), results(arrays.W1), results(arrays.b1), results(arrays.W2),
          results(arrays.b2)};
}

oracle::Bounded both(const oracle::Bounded& mse, const oracle::Bounded& aux) {
  return {{mse.value[0], aux.value[0]}, {mse.bound[0], aux.bound[0]}};
}

oracle::Bounded negative(oracle::Bounded array) {
  for (double& x : array.value) x = -x;
  return array;
}

struct Step {
  Trial trial;
  Array<float> X, target;
  ParamArrays params, grads;
  WorkspaceArrays ws;
  Array<float> out, dOut, dX;
  const Layer& layer;
  float lr;

  Step(const Layer& of, float rate)
      : trial{{"T", of.config.T},
              {"D", of.config.D},
              {"H", of.config.H},
              {"E", of.config.E},
              {"K", of.config.K}},
        X(trial.input("X", tokens(of), of.X)),
        target(trial.input("target", tokens(of), of.target)),
        params(params_in_place(trial, of)),
        grads(grad_outputs(trial, of.config)),
        ws(workspace_outputs(trial, of.config)),
        out(trial.output("out", tokens(of))),
        dOut(trial.output("dOut", tokens(of))),
        dX(trial.output("dX", tokens(of))),
        layer(of),
        lr(rate) {}

  static Axes tokens(const Layer& layer) { return {{"t", layer.config.T}, {"d", layer.config.D}}; }

  // Each array from what the call left in those before it.
  void judge(const Results& results) {
    const oracle::Forward forward = expect_forward(trial, layer, layer.params(), ws, out, results);
    const oracle::Input y = results(out), target_values = layer.target;
    trial.expect(ws.losses, both(oracle::mse_loss(y, target_values), forward.aux));
    const oracle::Bounded slope = oracle::mse_loss_backward(y, target_values);
    trial.expect(dOut, slope);
    trial.mistake("climbs", dOut, negative(slope));

    const oracle::BoundedParams none = oracle::zero_grads(layer.config);
    const oracle::Backward backward =
        oracle::moe_backward(layer.config, layer.params(), layer.X, results(dOut),
                             forward_fields(layer, ws, results), none.inputs());
    expect(trial, grads, backward.grads);
    trial.expect(dX, backward.dX);
    mistake(trial, "zeroed-late", grads, none);

    const oracle::ParamInputs before = layer.params();
    expect(trial, params, updated(before, left_in(grads, results), lr));
    // Updates by 0.
    mistake(trial, "update-first", params, updated(before, none.inputs(), lr));
    trial.mistake("losses-swapped", ws.losses, [mse = oracle::mse_loss(y, target_values)](int i) {
      return i == 0 ? Expected::unwritten() : Expected(mse.value[0], mse.bound[0]);
    });
  }

  void grade() {
    trial.judge_each_run([this](const Results& results) { judge(results); });
    trial.mistake_if("b2-size", [](const Diagnostic& d) {
      return d.is("out_of_bounds") && d.message.find(".b2") != std::string::npos;
    });
    trial.mistake_if("zeroed-late", [](const Diagnostic& d) {
      return d.is("uninitialized_read") && d.message.find("grads.") != std::string::npos;
    });
    call(1);
  }

  // From the inputs alone: the errors of the steps before the last are carried along.
  void grade_many(int steps) {
    const oracle::TrainLoop loop =
        oracle::train_loop(layer.config, layer.params(), layer.X, layer.target, lr, steps);
    expect(trial, params, loop.params);
    expect(trial, grads, loop.last.backward.grads);
    trial.expect(out, loop.last.forward.out);
    trial.expect(dOut, loop.last.dOut);
    trial.expect(dX, loop.last.backward.dX);
    trial.expect(ws.losses, both(loop.last.mse, loop.last.forward.aux));
    // The workspace's forward fields follow from parameters that nobody saw.
    trial.judge_each_run([](const Results&) {});
    call(steps);
  }

  void call(int steps) {
    trial.call([&](cudaStream_t stream) {
      MoeWorkspace pointers = ws.pointers();
      for (int step = 0; step < steps; ++step)
        train_step(layer.config, params.pointers(), grads.pointers(), X, target, pointers, out,
                   dOut, dX, lr, stream);
    });
  }
};

void grade_random(const MoeConfig& config, float lr, const std::vector<int>& empty = {}) {
  Random random = case_random();
  const Layer layer = random_layer(random, config, empty);
  Step(layer, lr).grade();
}

constexpr Activation relu = Activation::relu, gelu = Activation::gelu;

}  // namespace

LESSON_CASE("the lesson's example: one step with lr = 0.1") {
  const Layer layer = micro_batch::layer();
  Step(layer, 0.1f).grade();
}

LESSON_CASE("sizes that all differ, both activations") {
  grade_random({5, 3, 4, 6, 2, gelu, 0.1f}, 0.05f);
  grade_random({7, 6, 2, 5, 3, relu, 0.5f}, 0.3f);
}

LESSON_CASE("as wide inside as outside: no size can leave an array") {
  grade_random({4, 3, 3, 5, 2, gelu, 0.1f}, 0.1f);
}

LESSON_CASE("experts without tokens; alpha 0") {
  grade_random({4, 3, 2, 6, 2, relu, 0.0f}, 0.1f, {0, 4});
}

LESSON_CASE("one token, one choice; no tokens") {
  grade_random({1, 4, 2, 3, 1, gelu, 0.2f}, 0.1f);
  grade_random({0, 3, 2, 5, 2, gelu, 0.1f}, 0.1f);
}

LESSON_CASE("the default stream; a stream that is capturing") {
  Random random = case_random();
  const Layer layer = random_layer(random, {4, 3, 2, 5, 2, gelu, 0.03f});
  for (const auto stream : {Trial::Stream::null, Trial::Stream::capturing}) {
    Step step(layer, 0.1f);
    step.trial.use_stream(stream);
    step.grade();
  }
}

LESSON_CASE("two steps in a row") {
  Random random = case_random();
  while (true) {
    const Layer layer = random_layer(random, {4, 3, 2, 5, 2, gelu, 0.2f});
    if (!oracle::train_loop(layer.config, layer.params(), layer.X, layer.target, 0.02f, 2).certain)
      continue;
    Step(layer, 0.02f).grade_many(2);
    break;
  }
}

LESSON_CASE("widths of whole fours; several tiles of everything") {
  grade_random({6, 4, 8, 3, 2, relu, 0.1f}, 0.1f);
  grade_random({37, 4, 36, 2, 2, gelu, 0.1f}, 0.1f);
  grade_random({5, 36, 4, 3, 2, gelu, 0.1f}, 0.1f);
}

LESSON_CASE("many experts; many choices") {
  grade_random({7, 5, 3, 20, 3, gelu, 0.1f}, 0.1f);
  grade_random({3, 2, 3, 12, 10, relu, 0.1f}, 0.1f);
  grade_random({9, 4, 8, 16, 8, gelu, 0.1f}, 0.1f);
}

BENCH_CASE("T = 64, D = 16, H = 32, E = 8, K = 2") {
  grade_random({64, 16, 32, 8, 2, gelu, 0.1f}, 0.05f);
}
