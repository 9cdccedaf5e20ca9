// Inputs that are off by their stated errors move every result by no more than its bound grows.
#include <cstdint>
#include <functional>
#include <random>

#include "check.h"
#include "layers.h"
#include "oracle/oracle.h"

namespace oracle_test {
namespace {

using Ints = std::vector<int>;
using Function = std::function<std::vector<oracle::Bounded>(const std::vector<oracle::Input>&)>;

// Errors far above rounding, so that what is checked is how they are carried.
class Perturbation {
 public:
  explicit Perturbation(std::uint64_t seed) : random_(seed) {}

  std::mt19937_64& engine() { return random_; }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  oracle::Bounded input(int count, double size, double low, double high) {
    oracle::Bounded out = oracle::make_bounded(static_cast<std::size_t>(count));
    for (double& v : out.value) v = uniform(low, high);
    for (double& b : out.bound) b = uniform(0, 1) < .2 ? 0 : uniform(0, size);
    return out;
  }
  // `f` at many points within the errors, corners among them, against its bounds. (Corners a little
  // inside: a copy has no room for the rounding of value + error.)
  void check(const std::string& what, const std::vector<oracle::Bounded>& inputs,
             const Function& f) {
    INFO(what);
    std::vector<oracle::Input> carried(inputs.begin(), inputs.end());
    const std::vector<oracle::Bounded> want = f(carried);
    for (int repeat = 0; repeat < 60; ++repeat) {
      std::vector<oracle::Input> moved;
      for (const oracle::Bounded& input : inputs) {
        Doubles values = input.value;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double by =
              repeat % 2 == 0 ? uniform(-1, 1) : (uniform(0, 1) < .5 ? -1 : 1) * (1 - 1e-9);
          values[i] += by * input.bound[i];
        }
        moved.push_back(oracle::Input(std::move(values)));
      }
      const std::vector<oracle::Bounded> got = f(moved);
      REQUIRE(got.size() == want.size());
      for (std::size_t k = 0; k < got.size(); ++k) {
        for (std::size_t i = 0; i < got[k].size(); ++i) {
          INFO("result ", k, ", element ", i);
          CHECK(want[k].accepts(i, got[k].value[i]));
        }
      }
    }
  }

 private:
  std::mt19937_64 random_;
};

TEST_SUITE("carried errors") {
  TEST_CASE("each function") {
    for (const double size : {1e-3, .1}) {
      for (std::uint64_t seed = 91; seed < 96; ++seed) {
        Perturbation p(seed);
        const auto plain = [&](int count) { return p.input(count, size, -3, 3); };
        const auto positive = [&](int count) { return p.input(count, size, .3, 1); };
        using In = const std::vector<oracle::Input>&;
        p.check("matmul_nn", {plain(6), plain(12)},
                [](In x) { return std::vector{oracle::matmul_nn(x[0], x[1], 2, 4, 3)}; });
        p.check("matmul_nt", {plain(6), plain(12)},
                [](In x) { return std::vector{oracle::matmul_nt(x[0], x[1], 2, 4, 3)}; });
        p.check("matmul_tn", {plain(6), plain(12), plain(8)},
                [](In x) { return std::vector{oracle::matmul_tn(x[0], x[1], x[2], 2, 4, 3)}; });
        p.check("bias", {plain(6), plain(3)}, [](In x) {
          return std::vector{oracle::bias_add(x[0], x[1], 2, 3),
                             oracle::bias_grad(x[0], x[1], 2, 3)};
        });
        p.check("elementwise", {plain(6), plain(6)}, [](In x) {
          return std::vector{oracle::elementwise_add(x[0], x[1]),
                             oracle::elementwise_multiply(x[0], x[1])};
        });
        p.check("activations", {p.input(200, size, -7, 7), plain(200)}, [](In x) {
          return std::vector{oracle::relu_forward(x[0]), oracle::relu_backward(x[0], x[1]),
                             oracle::gelu_forward(x[0]), oracle::gelu_backward(x[0], x[1])};
        });
        p.check("softmax", {plain(10)},
                [](In x) { return std::vector{oracle::softmax_rows(x[0], 2, 5)}; });
        p.check("softmax backward", {positive(10), plain(10)},
                [](In x) { return std::vector{oracle::softmax_rows_backward(x[0], x[1], 2, 5)}; });
        p.check("gates", {positive(6), plain(6)}, [](In x) {
          return std::vector{oracle::normalize_gates(x[0], 2, 3),
                             oracle::normalize_gates_backward(x[0], x[1], 2, 3)};
        });
        const Ints experts{3, 0, 1, 2};
        p.check("router backward",
                {plain(6), plain(12), positive(8), plain(4), plain(8), plain(12)}, [&](In x) {
                  oracle::RouterBackward r = oracle::router_backward(x[0], x[1], x[2], experts,
                                                                     x[3], x[4], x[5], 2, 3, 4, 2);
                  return std::vector{r.dprobs, r.dlogits, r.dWg, r.dX};
                });
        const Ints slots{2, 0, 3, 1}, pairs = oracle::inverse_permutation(slots);
        p.check("dispatch", {plain(6), plain(12), plain(4)}, [&](In x) {
          return std::vector{oracle::gather_tokens(x[0], pairs, 2, 3, 2),
                             oracle::gather_tokens_backward(x[1], slots, 2, 3, 2),
                             oracle::combine_tokens(x[1], slots, x[2], 2, 3, 2),
                             oracle::combine_backward_experts(x[0], x[2], pairs, 2, 3, 2),
                             oracle::combine_backward_gates(x[0], x[1], slots, 2, 3, 2)};
        });
        const Ints offsets{0, 1, 1, 3};
        for (const Activation act : {Activation::relu, Activation::gelu}) {
          p.check("experts", {plain(6), plain(18), plain(9), plain(18), plain(6), plain(6)},
                  [&](In x) {
                    const oracle::ParamInputs params{{}, x[1], x[2], x[3], x[4]};
                    oracle::ExpertForward f =
                        oracle::expert_forward(x[0], params, offsets, 3, 3, 2, 3, act);
                    oracle::ExpertBackward b = oracle::expert_backward(
                        x[0], f.Z, f.A, x[5], params, offsets, params, 3, 3, 2, 3, act);
                    return std::vector{f.Z,   f.A,        f.Ys,       b.dA,       b.dZ,
                                       b.dXs, b.grads.W1, b.grads.b1, b.grads.W2, b.grads.b2};
                  });
        }
        p.check("balance", {positive(4), positive(4), positive(12)}, [](In x) {
          return std::vector{oracle::mean_probs(x[2], 3, 4), oracle::aux_loss(x[0], x[1], .3),
                             oracle::aux_loss_backward(x[0], 3, .3)};
        });
        p.check("loss and update", {plain(7), plain(7)}, [](In x) {
          return std::vector{oracle::mse_loss(x[0], x[1]), oracle::mse_loss_backward(x[0], x[1]),
                             oracle::sgd_update(x[0], x[1], .7)};
        });
      }
    }
  }

  TEST_CASE("a whole step") {
    for (const MoeConfig& config : layer_shapes()) {
      const RandomLayer layer = random_layer(config, 97);
      Perturbation p(98);
      std::vector<oracle::Bounded> inputs;
      for (const Doubles* values :
           {&layer.X, &layer.target, &layer.Wg, &layer.W1, &layer.b1, &layer.W2, &layer.b2}) {
        inputs.push_back({*values, Doubles(values->size(), 1e-6)});
      }
      const auto step = [&](const std::vector<oracle::Input>& x) {
        return oracle::train_step(config, {x[2], x[3], x[4], x[5], x[6]}, x[0], x[1], .1);
      };
      if (!step({inputs.begin(), inputs.end()}).forward.certain) continue;
      p.check(describe(config), inputs, [&](const std::vector<oracle::Input>& x) {
        const oracle::TrainStep s = step(x);
        return std::vector{s.forward.out, s.forward.aux, s.mse,       s.backward.dX, s.params.Wg,
                           s.params.W1,   s.params.b1,   s.params.W2, s.params.b2};
      });
    }
  }
}

}  // namespace
}  // namespace oracle_test
