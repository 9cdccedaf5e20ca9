// Whole layers in simulated binary32: by stages and from the inputs to the end.
#include "binary32.h"
#include "layers.h"
#include "verdicts.h"

namespace oracle_test {
namespace {

namespace b32 = binary32;

Floats floats(const Doubles& values) {
  return {values.begin(), values.end()};
}

b32::Params floats(const RandomLayer& l) {
  return {floats(l.Wg), floats(l.W1), floats(l.b1), floats(l.W2), floats(l.b2)};
}

oracle::ParamInputs inputs(const b32::Params& p) {
  return {p.Wg, p.W1, p.b1, p.W2, p.b2};
}

oracle::ForwardInputs fields(const b32::Layer& f) {
  return {f.logits,       f.probs, f.experts, f.gates, f.counts, f.offsets,   f.slot_of_pair,
          f.pair_of_slot, f.Xs,    f.Z,       f.A,     f.Ys,     f.fractions, f.mean_probs};
}

void add_forward(Verdicts& v, const oracle::Forward& want, const b32::Layer& got) {
  CHECK(want.experts == got.experts);
  CHECK(want.slot_of_pair == got.slot_of_pair);
  v.add(want.logits, got.logits);
  v.add(want.probs, got.probs);
  v.add(want.gates, got.gates);
  v.add(want.Xs, got.Xs);
  v.add(want.Z, got.Z);
  v.add(want.A, got.A);
  v.add(want.Ys, got.Ys);
  v.add(want.fractions, got.fractions);
  v.add(want.mean_probs, got.mean_probs);
  v.add(want.aux, got.aux);
  v.add(want.out, got.out);
}

void add_grads(Verdicts& v, const oracle::BoundedParams& want, const b32::Params& got) {
  v.add(want.Wg, got.Wg);
  v.add(want.W1, got.W1);
  v.add(want.b1, got.b1);
  v.add(want.W2, got.W2);
  v.add(want.b2, got.b2);
}

double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double x : values) out = std::max(out, std::fabs(x));
  return out;
}

TEST_SUITE("bounds of the layer") {
  TEST_CASE("034, 040, 049 to 051: right kernels, by stages and from the inputs") {
    Verdicts stages, whole, expert_stages, from_saved, step;
    for (const MoeConfig& config : layer_shapes()) {
      const auto [T, D, H, E, K, act, alpha] = config;
      for (const Style& style : mixed_styles(12, 61)) {
        INFO(describe(config), ", ", name(style));
        Machine m(style);
        const RandomLayer l = random_layer(config, 62 + m.random()() % 1000);
        const b32::Params params = floats(l);
        const Floats X = floats(l.X), target = floats(l.target);
        b32::Layer got = b32::forward(m, config, params, X);
        b32::backward(m, config, params, X, target, got);
        add_forward(stages, oracle::moe_forward_stages(config, inputs(params), X, fields(got)),
                    got);
        const oracle::ExpertForward ef = oracle::expert_forward_stages(
            got.Xs, got.Z, got.A, inputs(params), got.offsets, T * K, E, D, H, act);
        expert_stages.add(ef.Z, got.Z);
        expert_stages.add(ef.A, got.A);
        expert_stages.add(ef.Ys, got.Ys);
        const oracle::BoundedParams zero = oracle::zero_grads(config);
        const oracle::ExpertBackward eb = oracle::expert_backward_stages(
            got.Xs, got.Z, got.A, got.dYs, got.dA, got.dZ, inputs(params), got.offsets,
            zero.inputs(), T * K, E, D, H, act);
        expert_stages.add(eb.dA, got.dA);
        expert_stages.add(eb.dZ, got.dZ);
        expert_stages.add(eb.dXs, got.dXs);
        expert_stages.add(eb.grads.W1, got.grads.W1);
        expert_stages.add(eb.grads.b1, got.grads.b1);
        const oracle::Backward back =
            oracle::moe_backward(config, inputs(params), X, got.dOut, fields(got), zero.inputs());
        from_saved.add(back.dX, got.dX);
        add_grads(from_saved, back.grads, got.grads);

        const oracle::TrainStep want = oracle::train_step(config, inputs(params), X, target, .1F);
        if (!want.forward.certain) continue;
        add_forward(whole, want.forward, got);
        step.add(want.mse, got.mse);
        step.add(want.dOut, got.dOut);
        step.add(want.backward.dX, got.dX);
        add_grads(step, want.backward.grads, got.grads);
        const b32::Params updated = b32::update(m, params, got.grads, .1F);
        add_grads(step, want.params, updated);
      }
    }
    check_right(stages, "forward by stages");
    check_right(expert_stages, "experts by stages");
    check_right(whole, "forward from the inputs");
    check_right(from_saved, "backward from the saved fields");
    check_right(step, "a step from the inputs");
    CHECK(whole.cases() > 11 * 100);
  }

  TEST_CASE("049 to 051: mistakes are rejected, also through the whole chain") {
    Verdicts gate, no_aux, one_path, erf, raw, tf32;
    for (const MoeConfig& config : layer_shapes()) {
      Machine m({});
      const RandomLayer l = random_layer(config, 71);
      const b32::Params params = floats(l);
      const Floats X = floats(l.X), target = floats(l.target);
      const oracle::BoundedParams zero = oracle::zero_grads(config);
      const oracle::TrainStep want = oracle::train_step(config, inputs(params), X, target, .1F);
      const b32::Layer right = b32::forward(m, config, params, X);
      if (config.K > 1) {
        gate.add(want.forward.out,
                 b32::forward(m, config, params, X, b32::Mistake::gate_on_input).out);
      }
      if (config.K < config.E) {
        raw.add(want.forward.out,
                b32::forward(m, config, params, X, b32::Mistake::no_renormalization).out);
      }
      if (config.activation == Activation::gelu) {
        erf.add(want.forward.out,
                b32::forward(m, config, params, X, b32::Mistake::gelu_by_erf).out);
      }
      if (config.aux_alpha > 0 && config.K < config.E) {  // K = E: all shares equal, no gradient
        b32::Layer got = right;
        b32::backward(m, config, params, X, target, got, b32::Mistake::no_auxiliary_grad);
        no_aux.add(want.backward.grads.Wg, got.grads.Wg);
      }
      if (config.E > 1 && (config.K > 1 || config.aux_alpha > 0)) {
        b32::Layer got = right;
        b32::backward(m, config, params, X, target, got, b32::Mistake::dispatch_path_only);
        one_path.add(
            oracle::moe_backward(config, inputs(params), X, got.dOut, fields(got), zero.inputs())
                .dX,
            got.dX);
      }
      Machine low({.product = Product::tf32});
      const b32::Layer coarse = b32::forward(low, config, params, X);
      if (coarse.experts == right.experts) tf32.add(want.forward.out, coarse.out);
    }
    check_wrong(gate, "gate on the input");
    check_wrong(raw, "gates not renormalised");
    check_wrong(erf, "GELU by erf");
    check_wrong(no_aux, "auxiliary gradient forgotten");
    check_wrong(one_path, "router's path into X forgotten");
    check_wrong(tf32, "TF32 products");
  }

  TEST_CASE("052: several steps from the inputs") {
    Verdicts history, parameters, stale, ascending;
    double looseness = 0;
    for (const MoeConfig& config : {MoeConfig{6, 4, 5, 4, 2, Activation::gelu, .1F},
                                    MoeConfig{9, 3, 4, 5, 1, Activation::relu, .2F},
                                    MoeConfig{7, 3, 6, 3, 2, Activation::relu, .05F}}) {
      for (const Style& style : mixed_styles(12, 81)) {
        const int steps = 4;
        const float lr = .01F;
        Machine m(style);
        const RandomLayer l = random_layer(config, 82 + m.random()() % 1000);
        b32::Params params = floats(l);
        const Floats X = floats(l.X), target = floats(l.target);
        const oracle::TrainLoop want =
            oracle::train_loop(config, inputs(params), X, target, lr, steps);
        if (!want.certain) continue;
        Floats losses;
        for (int s = 0; s < steps; ++s) {
          b32::Layer got = b32::forward(m, config, params, X);
          b32::backward(m, config, params, X, target, got);
          losses.push_back(got.mse);
          losses.push_back(got.aux);
          params = b32::update(m, params, got.grads, lr);
        }
        history.add(want.loss_history, losses);
        add_grads(parameters, want.params, params);
        looseness = std::max(looseness, largest(want.params.W1.bound));
        Floats late(losses.begin() + 2, losses.end());  // recorded after the update
        late.insert(late.end(), losses.end() - 2, losses.end());
        stale.add(want.loss_history, late);
        const oracle::TrainLoop other =
            oracle::train_loop(config, inputs(floats(l)), X, target, -lr, steps);
        ascending.add(want.loss_history, floats(other.loss_history.value));
      }
    }
    check_right(history, "loss history");
    check_right(parameters, "parameters after the last step");
    check_wrong(stale, "losses recorded after the update");
    check_wrong(ascending, "steps uphill");
    MESSAGE("largest bound of a weight after four steps: ", looseness);
    CHECK(history.cases() >= 20);
  }
}

}  // namespace
}  // namespace oracle_test
