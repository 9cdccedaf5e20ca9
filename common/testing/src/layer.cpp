#include "testing/layer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "testing/micro_batch.h"

namespace testing {
namespace {

using Floats = std::vector<float>;

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

Floats floats(const oracle::Bounded& array) {
  return Floats(array.value.begin(), array.value.end());
}

// An array as `make(name, axes, member)` has it, for each of the five.
template <class Make>
ParamArrays params(const MoeConfig& config, const std::string& prefix, Make make) {
  const auto [T, D, H, E, K, activation, alpha] = config;
  return {make(prefix + ".Wg", Axes{{"d", D}, {"e", E}}, &Layer::Wg),
          make(prefix + ".W1", Axes{{"e", E}, {"d", D}, {"h", H}}, &Layer::W1),
          make(prefix + ".b1", Axes{{"e", E}, {"h", H}}, &Layer::b1),
          make(prefix + ".W2", Axes{{"e", E}, {"h", H}, {"d", D}}, &Layer::W2),
          make(prefix + ".b2", Axes{{"e", E}, {"d", D}}, &Layer::b2)};
}

// `real` and `whole` make the forward's fields: real(name, axes, member of Forward).
template <class Real, class Whole, class Losses>
WorkspaceArrays workspace(Trial& trial, const MoeConfig& config, Real real, Whole whole,
                          Losses losses) {
  const auto [T, D, H, E, K, activation, alpha] = config;
  const Axes by_expert{{"t", T}, {"e", E}}, by_choice{{"t", T}, {"j", K}};
  const Axes pairs{{"p", T * K}}, slots{{"s", T * K}}, experts{{"e", E}};
  const Axes wide{{"s", T * K}, {"d", D}}, hidden{{"s", T * K}, {"h", H}};
  using oracle::Forward;
  return {real("ws.logits", by_expert, &Forward::logits),
          real("ws.probs", by_expert, &Forward::probs),
          whole("ws.experts", by_choice, &Forward::experts),
          real("ws.gates", by_choice, &Forward::gates),
          whole("ws.counts", experts, &Forward::counts),
          whole("ws.offsets", Axes{{"e", E + 1}}, &Forward::offsets),
          whole("ws.slot_of_pair", pairs, &Forward::slot_of_pair),
          whole("ws.pair_of_slot", slots, &Forward::pair_of_slot),
          real("ws.Xs", wide, &Forward::Xs),
          real("ws.Z", hidden, &Forward::Z),
          real("ws.A", hidden, &Forward::A),
          real("ws.Ys", wide, &Forward::Ys),
          real("ws.fractions", experts, &Forward::fractions),
          real("ws.mean_probs", experts, &Forward::mean_probs),
          trial.scratch("ws.dgates", by_choice),
          trial.scratch("ws.dprobs", by_expert),
          trial.scratch("ws.dlogits", by_expert),
          trial.scratch("ws.dYs", wide),
          trial.scratch("ws.dA", hidden),
          trial.scratch("ws.dZ", hidden),
          trial.scratch("ws.dXs", wide),
          trial.scratch("ws.dX_router", Axes{{"t", T}, {"d", D}}),
          losses()};
}

}  // namespace

Layer micro_batch::layer() {
  Layer layer{{3, 2, 3, 4, 2, Activation::relu, 0.1f}, {}, {}, {}, {}, {}, {}, {}};
  layer.X = floats("X");
  layer.target = floats("target");
  layer.Wg = floats("Wg");
  layer.W1 = floats("W1");
  layer.b1 = floats("b1");
  layer.W2 = floats("W2");
  layer.b2 = floats("b2");
  return layer;
}

Layer random_layer(Random& random, const MoeConfig& config, const std::vector<int>& empty) {
  const auto [T, D, H, E, K, activation, alpha] = config;
  while (true) {
    Layer layer{config,
                random.normals(size(T * D)),
                random.normals(size(T * D)),
                random.normals(size(D * E)),
                random.normals(size(E * D * H), 0, 0.7f),
                random.normals(size(E * H), 0, 0.5f),
                random.normals(size(E * H * D), 0, 0.7f),
                random.normals(size(E * D), 0, 0.5f)};
    if (!empty.empty()) {
      // The first number of a token is 1, and the router's first row keeps the tokens away.
      for (int t = 0; t < T; ++t) layer.X[size(t * D)] = 1;
      for (const int e : empty) layer.Wg[size(e)] -= 7;
    }
    const oracle::Forward forward = oracle::moe_forward(config, layer.params(), layer.X);
    const bool away =
        std::ranges::all_of(empty, [&](int e) { return forward.counts[size(e)] == 0; });
    const bool smooth =
        activation == Activation::gelu ||
        std::ranges::all_of(forward.Z.value, [](double z) { return std::fabs(z) > 0.005; });
    if (forward.certain && away && smooth) return layer;
  }
}

ParamArrays param_inputs(Trial& trial, const Layer& layer) {
  return params(layer.config, "params",
                [&](const std::string& name, const Axes& axes, Floats Layer::*values) {
                  return trial.input(name, axes, layer.*values);
                });
}

ParamArrays params_in_place(Trial& trial, const Layer& layer) {
  return params(layer.config, "params",
                [&](const std::string& name, const Axes& axes, Floats Layer::*values) {
                  return trial.in_place(name, axes, layer.*values);
                });
}

ParamArrays grad_outputs(Trial& trial, const MoeConfig& config) {
  return params(config, "grads", [&](const std::string& name, const Axes& axes, Floats Layer::*) {
    return trial.output(name, axes);
  });
}

ParamArrays grads_accumulated(Trial& trial, const MoeConfig& config, bool cleared) {
  return params(config, "grads", [&](const std::string& name, const Axes& axes, Floats Layer::*) {
    std::size_t count = 1;
    for (const Axis& axis : axes) count *= size(axis.extent);
    return trial.accumulated(name, axes, cleared ? Floats(count, 0) : Floats());
  });
}

void expect(Trial& trial, const ParamArrays& arrays, const oracle::BoundedParams& right) {
  trial.expect(arrays.Wg, right.Wg);
  trial.expect(arrays.W1, right.W1);
  trial.expect(arrays.b1, right.b1);
  trial.expect(arrays.W2, right.W2);
  trial.expect(arrays.b2, right.b2);
}

void mistake(Trial& trial, const char* slug, const ParamArrays& arrays,
             const oracle::BoundedParams& wrong) {
  trial.mistake(slug, arrays.Wg, wrong.Wg);
  trial.mistake(slug, arrays.W1, wrong.W1);
  trial.mistake(slug, arrays.b1, wrong.b1);
  trial.mistake(slug, arrays.W2, wrong.W2);
  trial.mistake(slug, arrays.b2, wrong.b2);
}

oracle::ParamInputs values_before(const ParamArrays& arrays) {
  return {arrays.Wg.values(), arrays.W1.values(), arrays.b1.values(), arrays.W2.values(),
          arrays.b2.values()};
}

MoeWorkspace WorkspaceArrays::pointers() const {
  return {logits,  probs, experts, gates, counts,    offsets,    slot_of_pair, pair_of_slot,
          Xs,      Z,     A,       Ys,    fractions, mean_probs, dgates,       dprobs,
          dlogits, dYs,   dA,      dZ,    dXs,       dX_router,  losses};
}

WorkspaceArrays workspace_outputs(Trial& trial, const MoeConfig& config) {
  return workspace(
      trial, config,
      [&](const char* name, const Axes& axes, oracle::Bounded oracle::Forward::*) {
        return trial.output(name, axes);
      },
      [&](const char* name, const Axes& axes, std::vector<int> oracle::Forward::*) {
        return trial.output<int>(name, axes);
      },
      [&] {
        return trial.output("ws.losses", {{"i", 2}});
      });
}

WorkspaceArrays workspace_scratch(Trial& trial, const MoeConfig& config) {
  return workspace(
      trial, config,
      [&](const char* name, const Axes& axes, oracle::Bounded oracle::Forward::*) {
        return trial.scratch(name, axes);
      },
      [&](const char* name, const Axes& axes, std::vector<int> oracle::Forward::*) {
        return trial.scratch<int>(name, axes);
      },
      [&] {
        return trial.output("ws.losses", {{"i", 2}});
      });
}

WorkspaceArrays workspace_inputs(Trial& trial, const MoeConfig& config,
                                 const oracle::Forward& saved) {
  return workspace(
      trial, config,
      [&](const char* name, const Axes& axes, oracle::Bounded oracle::Forward::*field) {
        return trial.input(name, axes, floats(saved.*field));
      },
      [&](const char* name, const Axes& axes, std::vector<int> oracle::Forward::*field) {
        return trial.input(name, axes, saved.*field);
      },
      [&] {
        return trial.input("ws.losses", {{"i", 2}},
                           Floats{1, static_cast<float>(saved.aux.value[0])});
      });
}

oracle::ForwardInputs forward_fields(const Layer& layer, const WorkspaceArrays& ws,
                                     const Results& results) {
  const auto [T, D, H, E, K, activation, alpha] = layer.config;
  oracle::ForwardInputs fields;
  fields.logits = results(ws.logits);
  fields.probs = results(ws.probs);
  fields.experts = oracle::topk_rows(fields.probs, T, E, K).indices;
  fields.gates = results(ws.gates);
  fields.counts = oracle::count_tokens(fields.experts, E);
  fields.offsets = oracle::expert_offsets(fields.counts);
  oracle::Slots slots = oracle::assign_slots(fields.experts, fields.offsets);
  fields.slot_of_pair = std::move(slots.slot_of_pair);
  fields.pair_of_slot = std::move(slots.pair_of_slot);
  fields.Xs = results(ws.Xs);
  fields.Z = results(ws.Z);
  fields.A = results(ws.A);
  fields.Ys = results(ws.Ys);
  fields.fractions = results(ws.fractions);
  fields.mean_probs = results(ws.mean_probs);
  return fields;
}

oracle::Forward expect_forward(Trial& trial, const Layer& layer, const oracle::ParamInputs& params,
                               const WorkspaceArrays& ws, const Array<float>& out,
                               const Results& results) {
  oracle::Forward right =
      oracle::moe_forward_stages(layer.config, params, layer.X, forward_fields(layer, ws, results));
  trial.expect(ws.logits, right.logits);
  trial.expect(ws.probs, right.probs);
  trial.expect(ws.experts, right.experts);
  trial.expect(ws.gates, right.gates);
  trial.expect(ws.counts, right.counts);
  trial.expect(ws.offsets, right.offsets);
  trial.expect(ws.slot_of_pair, right.slot_of_pair);
  trial.expect(ws.pair_of_slot, right.pair_of_slot);
  trial.expect(ws.Xs, right.Xs);
  trial.expect(ws.Z, right.Z);
  trial.expect(ws.A, right.A);
  trial.expect(ws.Ys, right.Ys);
  trial.expect(out, right.out);
  trial.expect(ws.fractions, right.fractions);
  trial.expect(ws.mean_probs, right.mean_probs);
  return right;
}

}  // namespace testing
