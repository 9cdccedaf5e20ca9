// The fifty-two references together. GRADIENT_TABLE=1 prints what was measured as a table.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "check.h"
#include "device_layer.h"
#include "layers.h"
#include "oracle/oracle.h"

namespace {

using oracle_test::Doubles;
using oracle_test::RandomLayer;

std::vector<float> floats(const Doubles& values) {
  return {values.begin(), values.end()};
}

train::Parameters parameters(const RandomLayer& layer) {
  return {floats(layer.Wg), floats(layer.W1), floats(layer.b1), floats(layer.W2), floats(layer.b2)};
}

// Of one array: the largest distance from the central difference and the largest value, over
// elements; and whether each lies within its bound and the difference's own error.
struct Deviation {
  double worst = 0;
  double largest = 0;
  bool within = true;
};

Deviation compare(Doubles& x, const oracle::Bounded& gradient, const std::vector<float>& kernel,
                  const std::function<double()>& loss) {
  const double error_of_difference = 1e-8;
  Deviation result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = oracle_test::central_difference(x, i, loss);
    const double deviation = std::fabs(static_cast<double>(kernel[i]) - difference);
    result.worst = std::max(result.worst, deviation);
    result.largest = std::max(result.largest, std::fabs(difference));
    result.within = result.within && deviation <= gradient.bound[i] + error_of_difference;
  }
  return result;
}

}  // namespace

TEST_CASE("gradients of the reference kernels are those of finite differences in double") {
  const bool table = std::getenv("GRADIENT_TABLE") != nullptr;
  if (table) {
    fmt::print(
        "| layer | dX | dWg | dW1 | db1 | dW2 | db2 |\n| --- | --- | --- | --- | --- | --- | --- "
        "|\n");
  }
  for (const MoeConfig& config : oracle_test::layer_shapes()) {
    INFO(oracle_test::describe(config));
    RandomLayer layer = oracle_test::random_layer(config, 71);
    const oracle::TrainStep step =
        oracle::train_step(config, layer.params(), layer.X, layer.target, 0);
    REQUIRE(step.forward.certain);
    const auto loss = [&] {
      const oracle::Forward f =
          oracle::moe_forward_frozen(config, layer.params(), layer.X, step.forward.experts);
      return oracle::mse_loss(f.out.value, layer.target).value[0] + f.aux.value[0];
    };
    train::DeviceLayer device(config, {floats(layer.X), floats(layer.target)}, parameters(layer));
    device.train(1, 0);
    const train::Parameters kernel = device.gradients();
    const oracle::BoundedParams& g = step.backward.grads;
    std::string row = "| " + oracle_test::describe(config);
    const auto check = [&](Doubles& x, const oracle::Bounded& gradient,
                           const std::vector<float>& computed) {
      const Deviation here = compare(x, gradient, computed, loss);
      CHECK(here.within);
      row += fmt::format(" | {:.1e} of {:.1e}", here.worst, here.largest);
    };
    check(layer.X, step.backward.dX, device.input_gradient());
    check(layer.Wg, g.Wg, kernel.Wg);
    check(layer.W1, g.W1, kernel.W1);
    check(layer.b1, g.b1, kernel.b1);
    check(layer.W2, g.W2, kernel.W2);
    check(layer.b2, g.b2, kernel.b2);
    if (table) fmt::print("{} |\n", row);
  }
}

namespace {

const MoeConfig training_config{64, 6, 10, 5, 2, Activation::relu, 0.01f};
constexpr float training_rate = 0.3f;

bool same(const train::Parameters& a, const train::Parameters& b) {
  return a.Wg == b.Wg && a.W1 == b.W1 && a.b1 == b.b1 && a.W2 == b.W2 && a.b2 == b.b2;
}

}  // namespace

TEST_CASE("two hundred steps are the same bit for bit, in one go, again and in parts") {
  const train::Task task = train::make_task(training_config, 3);
  const train::Parameters start = train::initial_parameters(training_config, 3);
  train::DeviceLayer whole(training_config, task, start);
  train::DeviceLayer again(training_config, task, start);
  const std::vector<float> losses = whole.train(200, training_rate);
  CHECK(losses == again.train(200, training_rate));
  CHECK(same(whole.parameters(), again.parameters()));
  train::DeviceLayer first(training_config, task, start);
  first.train(77, training_rate);
  train::DeviceLayer second(training_config, task, first.parameters());
  second.train(123, training_rate);
  CHECK(same(whole.parameters(), second.parameters()));
  CHECK(losses[2 * 199] < 0.5f * losses[0]);
}

// Each backend within the bound of the exact step, so two backends are within twice that of each
// other.
TEST_CASE("a step from the parameters of steps 0, 50, 100 and 199 is within its bound") {
  const train::Task task = train::make_task(training_config, 3);
  train::DeviceLayer layer(training_config, task, train::initial_parameters(training_config, 3));
  int done = 0;
  for (const int step : {0, 50, 100, 199}) {
    INFO("step ", step);
    if (step > done) layer.train(step - done, training_rate);
    const train::Parameters before = layer.parameters();
    const oracle::ParamInputs inputs{before.Wg, before.W1, before.b1, before.W2, before.b2};
    const oracle::TrainStep exact =
        oracle::train_step(training_config, inputs, task.X, task.target, training_rate);
    const std::vector<float> losses = layer.train(1, training_rate);
    done = step + 1;
    // A choice that rounding decides may fall either way, and then says nothing about the kernels.
    if (!exact.forward.certain) {
      MESSAGE("step ", step, ": a choice of experts hangs on rounding");
      continue;
    }
    const train::Parameters after = layer.parameters();
    const auto check = [&](const oracle::Bounded& due, const std::vector<float>& got) {
      for (std::size_t i = 0; i < got.size(); ++i) CHECK(due.accepts(i, got[i]));
    };
    check(exact.mse, {losses[0]});
    check(exact.forward.aux, {losses[1]});
    check(exact.params.Wg, after.Wg);
    check(exact.params.W1, after.W1);
    check(exact.params.b1, after.b1);
    check(exact.params.W2, after.W2);
    check(exact.params.b2, after.b2);
  }
}
