// 052 train_loop: steps of 051, and the losses of each
#include "testing/grader.h"

#include <algorithm>

#include "testing/layer.h"

using namespace testing;

namespace {

oracle::Bounded both(const oracle::Bounded& mse, const oracle::Bounded& aux) {
  return {{mse.value[0], aux.value[0]}, {mse.bound[0], aux.bound[0]}};
}

// Loss pairs one step later, the last of them after the last update.
oracle::Bounded after_the_update(const oracle::TrainLoop& longer) {
  oracle::Bounded history = longer.loss_history;
  for (auto* part : {&history.value, &history.bound}) part->erase(part->begin(), part->begin() + 2);
  return history;
}

// The errors that the bounds carry along stay far below what a step changes.
bool tight(const oracle::TrainLoop& loop) {
  const auto small = [](const oracle::Bounded& array) {
    return std::ranges::all_of(array.bound, [](double bound) { return bound < 1e-3; });
  };
  return small(loop.loss_history) && small(loop.params.W1) && small(loop.params.W2);
}

struct Loop {
  Layer layer;
  float lr;
  int steps;
  oracle::TrainLoop right;

  // Drawn until no rounding in any step can change a choice.
  Loop(const MoeConfig& config, float rate, int count, const std::vector<int>& empty = {})
      : lr(rate), steps(count) {
    Random random = case_random();
    do {
      layer = random_layer(random, config, empty);
      right = run(steps);
    } while (!right.certain || !tight(right));
  }
  // The micro-batch.
  Loop(float rate, int count)
      : layer(micro_batch::layer()), lr(rate), steps(count), right(run(count)) {}

  oracle::TrainLoop run(int count) const {
    return oracle::train_loop(layer.config, layer.params(), layer.X, layer.target, lr, count);
  }
};

// The launches of one step by the reference kernels.
constexpr double kLaunches = 38;

// `calls`: the steps come in as many calls, the same number in each.
void grade(const Loop& loop, int calls = 1, bool counted = false,
           Trial::Stream stream = Trial::Stream::own) {
  const auto& [layer, lr, steps, right] = loop;
  const auto [T, D, H, E, K, activation, alpha] = layer.config;
  Trial trial{{"T", T}, {"D", D}, {"H", H}, {"E", E}, {"K", K}, {"steps", steps / calls}};
  const auto X = trial.input("X", {{"t", T}, {"d", D}}, layer.X);
  const auto target = trial.input("target", {{"t", T}, {"d", D}}, layer.target);
  const ParamArrays params = params_in_place(trial, layer);
  const ParamArrays grads = grad_outputs(trial, layer.config);
  const WorkspaceArrays ws = workspace_scratch(trial, layer.config);
  const auto out = trial.output("out", {{"t", T}, {"d", D}});
  const auto dOut = trial.output("dOut", {{"t", T}, {"d", D}});
  const auto dX = trial.output("dX", {{"t", T}, {"d", D}});
  const auto history = trial.output("loss_history", {{"s", steps}, {"i", 2}});

  trial.expect(history, right.loss_history);
  expect(trial, params, right.params);
  if (steps > 0) {
    expect(trial, grads, right.last.backward.grads);
    trial.expect(out, right.last.forward.out);
    trial.expect(dOut, right.last.dOut);
    trial.expect(dX, right.last.backward.dX);
    trial.expect(ws.losses, both(right.last.mse, right.last.forward.aux));
    trial.mistake("after-the-update", history, after_the_update(loop.run(steps + 1)));
    const auto due = [&](int i) {
      const std::size_t k = static_cast<std::size_t>(i);
      return Expected(right.loss_history.value[k], right.loss_history.bound[k]);
    };
    trial.mistake("copied-early", history, [=](int s, int i) {
      return s == 0 ? Expected::unwritten() : due(2 * s - 2 + i);
    });
    trial.mistake("one-place", history, [=](int s, int i) {
      const int place = 2 * s + i;
      if (place > steps) return Expected::unwritten();
      return place < steps ? due(2 * place) : due(2 * steps - 1);
    });
    if (steps > 1)
      trial.mistake("last-only", history, [=](int s, int i) {
        return s < steps - 1 ? Expected::unwritten() : due(2 * s + i);
      });
  } else {
    trial.judge_each_run([](const Results&) {});  // no step, so nothing else is said
  }
  trial.mistake_if("waits", [](const Diagnostic& d) { return d.is("forbidden_call"); });
  const auto call = [&](cudaStream_t stream) {
    MoeWorkspace pointers = ws.pointers();
    for (int part = 0; part < calls; ++part)
      train_loop(layer.config, params.pointers(), grads.pointers(), X, target, pointers, out, dOut,
                 dX, lr, steps / calls, history + 2 * part * (steps / calls), stream);
  };
  trial.use_stream(stream);
  trial.limit_runs(2);  // what differs from run to run, 049 and 050 have seen
  trial.call(call);
  if (!counted) return;
  const Counts counts = trial.count(call);
  if (counts.available) {
    note_goal("host waits", counts["host_waits"], 0);
    note_goal("launches a step", counts["launches"] / steps, kLaunches);
  }
}

constexpr Activation relu = Activation::relu, gelu = Activation::gelu;

}  // namespace

LESSON_CASE("the lesson's example: 3 steps with lr = 0.01") {
  grade(Loop(0.01f, 3));
}

LESSON_CASE("one step, three; sizes that all differ") {
  grade(Loop({3, 2, 3, 4, 2, relu, 0.2f}, 0.02f, 1), 1, true);
  grade(Loop({3, 4, 2, 5, 3, gelu, 0.1f}, 0.01f, 3));
}

LESSON_CASE("one choice: only the auxiliary loss moves the router") {
  grade(Loop({4, 3, 2, 4, 1, gelu, 0.5f}, 0.02f, 2));
  grade(Loop({4, 3, 2, 4, 1, gelu, 0.0f}, 0.02f, 1));
}

LESSON_CASE("experts without tokens; one token") {
  grade(Loop({4, 3, 2, 6, 2, relu, 0.2f}, 0.01f, 2, {0, 4}));
  grade(Loop({1, 4, 2, 5, 4, gelu, 0.2f}, 0.01f, 2));
}

LESSON_CASE("seven steps, a small alpha") {
  grade(Loop({3, 2, 3, 4, 2, relu, 0.02f}, 0.005f, 7));
}

LESSON_CASE("the default stream; a stream that is capturing already") {
  const Loop loop({3, 2, 3, 4, 2, gelu, 0.1f}, 0.01f, 3);
  grade(loop, 1, false, Trial::Stream::null);
  grade(loop, 1, false, Trial::Stream::capturing);
}

LESSON_CASE("two calls of one step: nothing is left over from the first") {
  grade(Loop({4, 2, 3, 5, 2, gelu, 0.2f}, 0.01f, 2), 2);
}

LESSON_CASE("no steps: the parameters stay; no tokens: every loss is 0") {
  grade(Loop({4, 3, 2, 5, 2, gelu, 0.2f}, 0.01f, 0));
  grade(Loop({0, 3, 2, 5, 2, gelu, 0.2f}, 0.01f, 1));
}

BENCH_CASE("T = 12, D = 6, H = 8, E = 6, K = 2, 2 steps") {
  grade(Loop({12, 6, 8, 6, 2, gelu, 0.1f}, 0.01f, 2));
}
