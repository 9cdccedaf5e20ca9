// Every backward against central differences, and as the adjoint of its forward's derivative.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>

#include "check.h"
#include "layers.h"
#include "oracle/oracle.h"

namespace oracle_test {
namespace {

using Ints = std::vector<int>;

double dot(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(engine_); }
  Doubles normals(int count, double deviation = 1) {
    Doubles out(static_cast<std::size_t>(count));
    for (double& x : out) x = std::normal_distribution<double>(0, deviation)(engine_);
    return out;
  }
  Ints permutation(int count) {
    Ints out(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = i;
    std::shuffle(out.begin(), out.end(), engine_);
    return out;
  }
  // Offsets of E groups over P rows, empty ones among them.
  Ints offsets(int E, int P) {
    Ints experts(static_cast<std::size_t>(P));
    for (int& e : experts) e = integer(0, E - 1) / 2 * 2;  // odd experts stay empty
    return oracle::expert_offsets(oracle::count_tokens(experts, E));
  }

 private:
  std::mt19937_64 engine_;
};

// The largest difference between a gradient and the central differences of `loss` by each element
// of `x`.
double worst_difference(Doubles& x, const Doubles& gradient, const std::function<double()>& loss) {
  REQUIRE(x.size() == gradient.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::fabs(central_difference(x, i, loss) - gradient[i]));
  }
  return worst;
}

constexpr double tolerance = 1e-8;

void check_gradient(const std::string& what, double worst) {
  CHECK(worst <= tolerance);
  MESSAGE(what, ": largest difference ", worst);
}

// <f'(x) v, w> = <v, f'(x)^T w>, both computed exactly up to rounding.
void check_adjoint(double forward, double backward) {
  CHECK(std::fabs(forward - backward) <= 1e-12 * (1 + std::fabs(forward)));
}

TEST_SUITE("gradients") {
  TEST_CASE("002, 003, 005: products and bias") {
    Random random(31);
    double worst = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const int M = random.integer(1, 5), N = random.integer(1, 5), K = random.integer(1, 5);
      Doubles A = random.normals(M * K), B = random.normals(K * N), b = random.normals(N);
      const Doubles dC = random.normals(M * N);
      const auto loss = [&] {
        const Doubles AB = oracle::matmul_nn(A, B, M, N, K).value;
        return dot(oracle::bias_add(AB, b, M, N).value, dC);
      };
      const Doubles dA = oracle::matmul_nt(dC, B, M, K, N).value;
      const Doubles dB = oracle::matmul_tn(A, dC, Doubles(B.size()), K, N, M).value;
      const Doubles db = oracle::bias_grad(dC, Doubles(b.size()), M, N).value;
      worst = std::max({worst, worst_difference(A, dA, loss), worst_difference(B, dB, loss),
                        worst_difference(b, db, loss)});
      const Doubles V = random.normals(M * K), U = random.normals(K * N);
      check_adjoint(dot(oracle::matmul_nn(V, B, M, N, K).value, dC), dot(V, dA));
      check_adjoint(dot(oracle::matmul_nn(A, U, M, N, K).value, dC), dot(U, dB));
    }
    check_gradient("matrix product and bias", worst);
  }

  TEST_CASE("009 and 011: activations") {
    Random random(32);
    double worst = 0;
    for (const double deviation : {.1, 1., 4.}) {
      Doubles x = random.normals(200, deviation);
      for (double& v : x) {
        if (std::fabs(v) < 1e-3) v = 1;  // away from the kink
      }
      const Doubles dy = random.normals(200);
      worst = std::max(worst, worst_difference(x, oracle::gelu_backward(x, dy).value, [&] {
                         return dot(oracle::gelu_forward(x).value, dy);
                       }));
      worst = std::max(worst, worst_difference(x, oracle::relu_backward(x, dy).value, [&] {
                         return dot(oracle::relu_forward(x).value, dy);
                       }));
    }
    check_gradient("activations", worst);
  }

  TEST_CASE("013: softmax") {
    Random random(33);
    double worst = 0;
    for (int repeat = 0; repeat < 30; ++repeat) {
      const int cols = random.integer(1, 40);
      Doubles x = random.normals(2 * cols, repeat % 3 == 0 ? 5 : 1);
      const Doubles dy = random.normals(2 * cols), v = random.normals(2 * cols);
      const Doubles y = oracle::softmax_rows(x, 2, cols).value;
      const Doubles dx = oracle::softmax_rows_backward(y, dy, 2, cols).value;
      worst = std::max(worst, worst_difference(x, dx, [&] {
                         return dot(oracle::softmax_rows(x, 2, cols).value, dy);
                       }));
      // The Jacobian is symmetric: it is its own adjoint.
      check_adjoint(dot(oracle::softmax_rows_backward(y, v, 2, cols).value, dy), dot(v, dx));
      const double sum = std::accumulate(dx.begin(), dx.begin() + cols, 0.0);
      CHECK(std::fabs(sum) <= 1e-13);
    }
    check_gradient("softmax", worst);
  }

  TEST_CASE("016: gates") {
    Random random(34);
    double worst = 0;
    for (int repeat = 0; repeat < 50; ++repeat) {
      const int k = random.integer(1, 16);
      Doubles v = random.normals(k, .3);
      for (double& x : v) x += 1;  // a sum well away from 0, values of both signs
      const Doubles dg = random.normals(k);
      const Doubles dv = oracle::normalize_gates_backward(v, dg, 1, k).value;
      worst = std::max(worst, worst_difference(v, dv, [&] {
                         return dot(oracle::normalize_gates(v, 1, k).value, dg);
                       }));
      CHECK(std::fabs(dot(v, dv)) <= 1e-12);
    }
    check_gradient("gates", worst);
  }

  TEST_CASE("020: router, from X and Wg to the gates and the probabilities") {
    Random random(35);
    double worst = 0;
    for (int repeat = 0; repeat < 30; ++repeat) {
      const int T = random.integer(1, 4), D = random.integer(1, 4), E = random.integer(1, 9);
      const int K = random.integer(1, std::min(E, 4));
      Doubles X = random.normals(T * D), Wg = random.normals(D * E);
      const Doubles dgates = random.normals(T * K), aux = random.normals(T * E);
      const auto probs = [&] {
        return oracle::router_probs(oracle::router_logits(X, Wg, T, D, E).value, T, E).value;
      };
      const Ints experts = oracle::router_topk(probs(), T, E, K).experts;
      const auto loss = [&] {
        const oracle::Bounded chosen = oracle::chosen_probs(probs(), experts, T, E, K);
        return dot(oracle::normalize_gates(chosen.value, T, K).value, dgates) + dot(probs(), aux);
      };
      const oracle::RouterBackward back = oracle::router_backward(
          X, Wg, probs(), experts, dgates, aux, Doubles(Wg.size()), T, D, E, K);
      worst = std::max({worst, worst_difference(X, back.dX.value, loss),
                        worst_difference(Wg, back.dWg.value, loss)});
      // Softmax over all, top-K and renormalising is top-K, then softmax over the chosen.
      const oracle::RouterBackward task = oracle::router_backward(
          X, Wg, probs(), experts, dgates, oracle::Input(), Doubles(Wg.size()), T, D, E, K);
      const Doubles gates = oracle::router_topk(probs(), T, E, K).gates.value;
      const Doubles direct = oracle::softmax_rows_backward(gates, dgates, T, K).value;
      Doubles scattered(task.dlogits.size());
      for (std::size_t p = 0; p < experts.size(); ++p) {
        scattered[p / static_cast<std::size_t>(K) * static_cast<std::size_t>(E) +
                  static_cast<std::size_t>(experts[p])] = direct[p];
      }
      check_near(task.dlogits, scattered, 1e-13);
    }
    check_gradient("router", worst);
  }

  TEST_CASE("025, 027, 028: dispatch and combine") {
    Random random(36);
    double worst = 0;
    for (int repeat = 0; repeat < 30; ++repeat) {
      const int T = random.integer(1, 5), D = random.integer(1, 4), K = random.integer(1, 4);
      const int P = T * K;
      const Ints slot_of_pair = random.permutation(P);
      const Ints pair_of_slot = oracle::inverse_permutation(slot_of_pair);
      Doubles X = random.normals(T * D), Ys = random.normals(P * D), gates = random.normals(P);
      const Doubles dXs = random.normals(P * D), dOut = random.normals(T * D);
      const Doubles dX = oracle::gather_tokens_backward(dXs, slot_of_pair, T, D, K).value;
      check_adjoint(dot(oracle::gather_tokens(X, pair_of_slot, T, D, K).value, dXs), dot(X, dX));
      const Doubles dYs =
          oracle::combine_backward_experts(dOut, gates, pair_of_slot, T, D, K).value;
      const Doubles dg = oracle::combine_backward_gates(dOut, Ys, slot_of_pair, T, D, K).value;
      const double out = dot(oracle::combine_tokens(Ys, slot_of_pair, gates, T, D, K).value, dOut);
      check_adjoint(out, dot(Ys, dYs));
      check_adjoint(out, dot(gates, dg));
      const auto loss = [&] {
        return dot(oracle::combine_tokens(Ys, slot_of_pair, gates, T, D, K).value, dOut);
      };
      worst = std::max({worst, worst_difference(Ys, dYs, loss), worst_difference(gates, dg, loss)});
    }
    check_gradient("combine", worst);
  }

  TEST_CASE("035 to 040: experts, empty ones included") {
    Random random(37);
    for (const Activation act : {Activation::gelu, Activation::relu}) {
      double worst = 0;
      for (int repeat = 0; repeat < 15; ++repeat) {
        const int P = random.integer(1, 7), E = random.integer(1, 5), D = random.integer(1, 4);
        const int H = random.integer(1, 4);
        const Ints offsets = random.offsets(E, P);
        Doubles Xs, W1, b1, W2 = random.normals(E * H * D), b2 = random.normals(E * D);
        double margin = 0;
        do {
          Xs = random.normals(P * D);
          W1 = random.normals(E * D * H);
          b1 = random.normals(E * H);
          margin = 1;
          for (const double z : oracle::expert_linear(Xs, W1, b1, offsets, P, E, D, H).value) {
            margin = std::min(margin, std::fabs(z));
          }
        } while (margin < .01);
        const Doubles dYs = random.normals(P * D);
        const auto params = [&] { return oracle::ParamInputs{{}, W1, b1, W2, b2}; };
        const auto forward = [&] {
          return oracle::expert_forward(Xs, params(), offsets, P, E, D, H, act);
        };
        const auto loss = [&] { return dot(forward().Ys.value, dYs); };
        const oracle::ExpertForward f = forward();
        const Doubles zW(W1.size()), zb1(b1.size()), zb2(b2.size());
        const oracle::ExpertBackward g =
            oracle::expert_backward(Xs, f.Z.value, f.A.value, dYs, params(), offsets,
                                    {{}, zW, zb1, zW, zb2}, P, E, D, H, act);
        worst = std::max({worst, worst_difference(Xs, g.dXs.value, loss),
                          worst_difference(W1, g.grads.W1.value, loss),
                          worst_difference(b1, g.grads.b1.value, loss),
                          worst_difference(W2, g.grads.W2.value, loss),
                          worst_difference(b2, g.grads.b2.value, loss)});
        // Step by step, and accumulated onto what was there.
        const Doubles once = random.normals(static_cast<int>(W2.size()));
        const oracle::Bounded onto =
            oracle::expert_down_weight_grad(f.A.value, dYs, offsets, once, P, E, H, D);
        for (std::size_t i = 0; i < once.size(); ++i) {
          CHECK(onto.value[i] == doctest::Approx(once[i] + g.grads.W2.value[i]).epsilon(1e-12));
        }
        for (std::size_t e = 0; e + 1 < offsets.size(); ++e) {  // an empty expert's stay exactly
          if (offsets[e] != offsets[e + 1]) continue;
          const std::size_t first = e * once.size() / (offsets.size() - 1);
          CHECK(onto.value[first] == once[first]);
          CHECK(onto.bound[first] == 0);
          CHECK(g.grads.b1.bound[e * b1.size() / (offsets.size() - 1)] == 0);
        }
        // 030 and 033 after 029 and 032 are the linear maps that 034 uses.
        const Doubles Z0 = oracle::expert_up(Xs, W1, offsets, P, E, D, H).value;
        check_near(oracle::expert_up_bias(Z0, b1, offsets, P, E, H), f.Z.value, 1e-14);
        const Doubles Y0 = oracle::expert_down(f.A.value, W2, offsets, P, E, H, D).value;
        check_near(oracle::expert_down_bias(Y0, b2, offsets, P, E, D), f.Ys.value, 1e-13);
      }
      check_gradient(act == Activation::gelu ? "experts, GELU" : "experts, ReLU", worst);
    }
  }

  TEST_CASE("034: one expert is a plain network") {
    Random random(38);
    const int P = 5, D = 3, H = 4;
    const Doubles Xs = random.normals(P * D), W1 = random.normals(D * H), b1 = random.normals(H);
    const Doubles W2 = random.normals(H * D), b2 = random.normals(D);
    const oracle::ExpertForward f =
        oracle::expert_forward(Xs, {{}, W1, b1, W2, b2}, {0, P}, P, 1, D, H, Activation::gelu);
    const Doubles Z = oracle::bias_add(oracle::matmul_nn(Xs, W1, P, H, D).value, b1, P, H).value;
    const Doubles A = oracle::gelu_forward(Z).value;
    check_near(f.Ys, oracle::bias_add(oracle::matmul_nn(A, W2, P, D, H).value, b2, P, D).value,
               1e-13);
  }

  TEST_CASE("044 and 046: losses") {
    Random random(39);
    double worst = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const int T = random.integer(1, 6), E = random.integer(1, 9);
      Doubles probs = random.normals(T * E), y = random.normals(T * E);
      const Doubles f = random.normals(E), target = random.normals(T * E);
      worst =
          std::max(worst, worst_difference(probs, oracle::aux_loss_backward(f, T, .7).value, [&] {
                     return oracle::aux_loss(f, oracle::mean_probs(probs, T, E).value, .7).value[0];
                   }));
      worst = std::max(worst, worst_difference(y, oracle::mse_loss_backward(y, target).value, [&] {
                         return oracle::mse_loss(y, target).value[0];
                       }));
    }
    check_gradient("losses", worst);
  }

  TEST_CASE("050: every parameter and the input of whole layers, choices frozen") {
    double worst = 0;
    std::size_t checked = 0;
    const auto check_layer = [&](const MoeConfig& config, std::uint64_t seed, bool tied) {
      INFO(describe(config), tied ? ", tied" : "");
      RandomLayer layer = random_layer(config, seed, tied);
      const oracle::TrainStep step =
          oracle::train_step(config, layer.params(), layer.X, layer.target, 0);
      const Ints experts = step.forward.experts;
      const auto loss = [&] {
        const oracle::Forward f =
            oracle::moe_forward_frozen(config, layer.params(), layer.X, experts);
        return oracle::mse_loss(f.out.value, layer.target).value[0] + f.aux.value[0];
      };
      const oracle::BoundedParams& g = step.backward.grads;
      const auto check = [&](Doubles& x, const oracle::Bounded& gradient) {
        const double here = worst_difference(x, gradient.value, loss);
        CHECK(here <= tolerance);
        worst = std::max(worst, here);
        checked += x.size();
      };
      check(layer.X, step.backward.dX);
      check(layer.Wg, g.Wg);
      check(layer.W1, g.W1);
      check(layer.b1, g.b1);
      check(layer.W2, g.W2);
      check(layer.b2, g.b2);
      if (config.K == 1 && config.aux_alpha == 0) {
        check_near(g.Wg, Doubles(g.Wg.size()), 1e-15);  // the task does not reach the router
      }
    };
    for (const MoeConfig& config : layer_shapes()) {
      check_layer(config, 41, false);
      check_layer(config, 42, true);
    }
    check_layer({6, 3, 4, 5, 1, Activation::gelu, 0}, 43, false);
    MESSAGE(checked, " derivatives, largest difference ", worst);
  }
}

}  // namespace
}  // namespace oracle_test
