// Small examples with known results: the workbook's, and reference values computed elsewhere.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.h"
#include "oracle/oracle.h"

namespace oracle_test {
namespace {

using Doubles = std::vector<double>;
using Ints = std::vector<int>;
constexpr double inf = std::numeric_limits<double>::infinity();

TEST_SUITE("worked examples") {
  TEST_CASE("003: weight gradients accumulate over calls") {
    const Doubles X{1, 0, 0, 1, 1, 1}, dY{1, 2, 3, -1, 0, 4};
    const Doubles zero(4), ten{10, 0, 0, 10};
    CHECK(oracle::matmul_tn(X, dY, zero, 2, 2, 3).value == Doubles{1, 6, 3, 3});
    const oracle::Bounded once = oracle::matmul_tn(X, dY, ten, 2, 2, 3);
    CHECK(once.value == Doubles{11, 6, 3, 13});
    CHECK(oracle::matmul_tn(X, dY, once.value, 2, 2, 3).value == Doubles{12, 12, 6, 16});
    const oracle::Bounded untouched = oracle::matmul_tn(Doubles{}, Doubles{}, ten, 2, 2, 0);
    CHECK(untouched.value == ten);
    CHECK(untouched.bound == zero);
  }

  TEST_CASE("001 and 002: the same product from both layouts of B") {
    const Doubles A{1, 2, 3, 4, 5, 6}, B{1, 0, 2, -1, 1, 3}, B_transposed{1, 2, 1, 0, -1, 3};
    CHECK(oracle::matmul_nn(A, B, 2, 2, 3).value == Doubles{8, 7, 20, 13});
    CHECK(oracle::matmul_nt(A, B_transposed, 2, 2, 3).value == Doubles{8, 7, 20, 13});
  }

  TEST_CASE("004 to 009: exact small cases") {
    CHECK(oracle::bias_add(Doubles{1, 2, 3, 4}, Doubles{10, 20}, 2, 2).value ==
          Doubles{11, 22, 13, 24});
    CHECK(oracle::bias_grad(Doubles{1, 2, 3, 4}, Doubles{10, 20}, 2, 2).value == Doubles{14, 26});
    CHECK(oracle::elementwise_add(Doubles{1, 2}, Doubles{3, -4}).value == Doubles{4, -2});
    CHECK(oracle::elementwise_multiply(Doubles{1, 2}, Doubles{3, -4}).value == Doubles{3, -8});
    const Doubles x{-1, 0, -0.0, 2, NAN, inf, -inf}, dy{1, 2, 3, 4, 5, 6, NAN};
    const oracle::Bounded y = oracle::relu_forward(x);
    CHECK(std::isnan(y.value[4]));
    CHECK(y.accepts(4, NAN));
    CHECK(!y.accepts(4, 0));
    CHECK(!y.accepts(3, NAN));
    CHECK(y.accepts(0, -0.0));
    CHECK(y.value[5] == inf);
    CHECK(!y.accepts(5, 3e38));
    CHECK(y.bound == Doubles(7));
    CHECK(oracle::relu_backward(x, dy).value == Doubles{0, 0, 0, 4, 0, 6, 0});
  }

  TEST_CASE("010 and 011: GELU, its slope and its landmarks") {
    check_near(oracle::gelu_forward(Doubles{0, 1, -.752, 20, -20}), {0, .841192, -.170041, 20, 0},
               5e-7);
    check_near(oracle::gelu_backward(Doubles{1, 1, -.5, 20, -20}, Doubles{1, 2, 1, 1, 1}),
               {1.082964, 2.165928, .132630, 1, 0}, 5.1e-7);
    CHECK(oracle::Gelu(1).u == doctest::Approx(.833562).epsilon(1e-6));
    CHECK(oracle::Gelu(1).tanh_u == doctest::Approx(.682384).epsilon(1e-6));
    CHECK(oracle::Gelu(1).du == doctest::Approx(.904917).epsilon(1e-6));
    double lowest = 0, lowest_at = 0, slope_min = 0, slope_max = 0, min_at = 0, max_at = 0;
    double curvature = 0, slope_before = oracle::Gelu(-8).slope;
    for (int i = -8000; i <= 8000; ++i) {
      const double x = i / 1000.0;
      const oracle::Gelu g(x);
      if (g.value < lowest) lowest = g.value, lowest_at = x;
      if (g.slope < slope_min) slope_min = g.slope, min_at = x;
      if (g.slope > slope_max) slope_max = g.slope, max_at = x;
      curvature = std::max(curvature, std::fabs(g.slope - slope_before) * 1000);
      slope_before = g.slope;
    }
    CHECK(lowest == doctest::Approx(-.170041).epsilon(1e-5));
    CHECK(lowest_at == doctest::Approx(-.752).epsilon(2e-3));
    CHECK(slope_min == doctest::Approx(-.128993).epsilon(1e-5));
    CHECK(slope_max == doctest::Approx(1.128993).epsilon(1e-5));
    CHECK(min_at == doctest::Approx(-1.419).epsilon(2e-3));
    CHECK(max_at == doctest::Approx(1.419).epsilon(2e-3));
    CHECK(curvature <= oracle::gelu_curvature);
    for (const double x : {1e4, 1e20, 1e38}) {
      CHECK(oracle::gelu_forward(Doubles{x, -x}).value == Doubles{x, 0});
      CHECK(oracle::gelu_forward(Doubles{x, -x}).bound[1] <= 0x1p-100);
      CHECK(oracle::gelu_backward(Doubles{x, -x}, Doubles{3, 3}).value == Doubles{3, 0});
    }
  }

  TEST_CASE("012: stable softmax, -inf, narrow rows") {
    check_near(oracle::softmax_rows(Doubles{-100, -101, -102}, 1, 3), {.665241, .244728, .090031},
               5e-7);
    const oracle::Bounded y = oracle::softmax_rows(Doubles{-inf, 1e30, -inf, 1e30}, 1, 4);
    CHECK(y.value == Doubles{0, .5, 0, .5});
    CHECK(y.bound[0] == 0);
    CHECK(y.bound[1] < 2e-3);
    CHECK(oracle::softmax_rows(Doubles{7}, 1, 1).value == Doubles{1});
    const double ln2 = std::log(2.0);
    check_near(oracle::softmax_rows(Doubles{2 * ln2, ln2, 0, 0}, 1, 4), {.5, .25, .125, .125},
               1e-15);
  }

  TEST_CASE("013: only differences of dy matter") {
    const Doubles y{.5, .25, .125, .125};
    CHECK(oracle::softmax_rows_backward(y, Doubles{1, -1, 2, 0}, 1, 4).value ==
          Doubles{.25, -.375, .1875, -.0625});
    CHECK(oracle::softmax_rows_backward(y, Doubles{7, 7, 7, 7}, 1, 4).value == Doubles(4));
    CHECK(oracle::softmax_rows_backward(Doubles{.25, .75}, Doubles{4, 0}, 1, 2).value ==
          Doubles{.75, -.75});
  }

  TEST_CASE("014: ties, -inf and signed zeros") {
    const oracle::TopK all = oracle::topk_rows(Doubles{2, 5, 5, -inf, 5}, 1, 5, 5);
    CHECK(all.indices == Ints{1, 2, 4, 0, 3});
    CHECK(all.values == Doubles{5, 5, 5, 2, -inf});
    CHECK(oracle::topk_rows(Doubles{-inf, -inf, -inf}, 1, 3, 2).indices == Ints{0, 1});
    CHECK(oracle::topk_rows(Doubles{-0.0, 0.0, -1}, 1, 3, 2).indices == Ints{0, 1});
    CHECK(oracle::topk_rows(Doubles{0.0, -0.0, 1}, 1, 3, 3).indices == Ints{2, 0, 1});
    CHECK(oracle::topk_rows(Doubles{NAN, -inf, NAN, 1}, 1, 4, 4).indices == Ints{3, 1, 0, 2});
    CHECK(oracle::topk_rows(Doubles{-3, -1, -2, 4, 6, 5}, 2, 3, 1).indices == Ints{1, 1});
  }

  TEST_CASE("014: gaps say whether a choice hangs on rounding") {
    const Doubles scores{4, 1, 2, 3.5, 1, 1, 1, 1};
    CHECK(oracle::kth_gaps(scores, 2, 4, 2) == Doubles{1.5, 0});
    CHECK(oracle::order_gaps(scores, 2, 4, 2) == Doubles{.5, 0});
    CHECK(oracle::kth_gaps(scores, 2, 4, 4) == Doubles{inf, inf});
    CHECK(oracle::kth_gaps(Doubles{-inf, -inf, 1}, 1, 3, 2) == Doubles{0});
    oracle::Bounded row{{4, 1, 2, 3.5}, {.2, .2, .2, .2}};
    CHECK(oracle::choice_is_certain(row, 1, 4, 2));
    row.bound = {.3, 0, 0, .3};  // the order of the two may change
    CHECK(!oracle::choice_is_certain(row, 1, 4, 2));
    row.bound = {0, 1.9, 0, .7};  // 1 may overtake 3.5
    CHECK(!oracle::choice_is_certain(row, 1, 4, 2));
    CHECK(!oracle::choice_is_certain(Doubles{1, 1, 0}, 1, 3, 1));
    CHECK(oracle::choice_is_certain(Doubles{1, 0, 0}, 1, 3, 1));
    CHECK(!oracle::choice_is_certain(Doubles{1, 1}, 1, 2, 2));
    CHECK(oracle::choice_is_certain(Doubles{1}, 1, 1, 1));
  }

  TEST_CASE("015 and 016: gates and the gradient through them") {
    check_near(oracle::normalize_gates(Doubles{6, 3, 1}, 1, 3), {.6, .3, .1}, 1e-15);
    check_near(oracle::normalize_gates_backward(Doubles{6, 3, 1}, Doubles{1, 2, -1}, 1, 3),
               {-.01, .09, -.21}, 1e-15);
    CHECK(oracle::normalize_gates(Doubles{.3, .7}, 2, 1).value == Doubles{1, 1});
    CHECK(oracle::normalize_gates_backward(Doubles{.3, .7}, Doubles{5, -2}, 2, 1).value ==
          Doubles(2));
  }

  TEST_CASE("018 to 020: softmax, choice and gates of four logits, and the way back") {
    const Doubles logits{2, 1, 0, -1};
    const oracle::Bounded probs = oracle::router_probs(logits, 1, 4);
    const oracle::RouterChoice choice = oracle::router_topk(probs.value, 1, 4, 2);
    CHECK(choice.experts == Ints{0, 1});
    check_near(choice.gates, {.731059, .268941}, 5e-7);
    const oracle::RouterBackward back =
        oracle::router_backward(Doubles{1}, Doubles(4), probs.value, choice.experts,
                                Doubles{1, -.5}, oracle::Input(), Doubles(4), 1, 1, 4, 2);
    check_near(back.dlogits, {.294918, -.294918, 0, 0}, 5e-7);
  }

  TEST_CASE("021 to 023: counting sort of the pairs") {
    const Ints experts{2, 0, 2, 2, 0, 1};
    const Ints counts = oracle::count_tokens(experts, 3);
    CHECK(counts == Ints{2, 1, 3});
    const Ints offsets = oracle::expert_offsets(counts);
    CHECK(offsets == Ints{0, 2, 3, 6});
    const oracle::Slots slots = oracle::assign_slots(experts, offsets);
    CHECK(slots.slot_of_pair == Ints{3, 0, 4, 5, 1, 2});
    CHECK(slots.pair_of_slot == Ints{1, 4, 5, 0, 2, 3});
    CHECK(oracle::count_tokens({}, 3) == Ints{0, 0, 0});
    CHECK(oracle::expert_offsets({0, 0, 0}) == Ints{0, 0, 0, 0});
  }

  TEST_CASE("041 to 044: the auxiliary loss of three tokens, against other conventions") {
    const Doubles logits{2, 1, 0, -1, 2, 0, 1, -1, 0, 2, 1, -1};
    const oracle::Bounded probs = oracle::router_probs(logits, 3, 4);
    const oracle::RouterChoice choice = oracle::router_topk(probs.value, 3, 4, 2);
    const oracle::Bounded means = oracle::mean_probs(probs.value, 3, 4);
    check_near(means, {.458324, .322647, .186970, .032059}, 5.1e-7);
    const oracle::Bounded f =
        oracle::dispatch_fractions(oracle::count_tokens(choice.experts, 4), 6);
    check_near(f, {1. / 3, 1. / 3, 1. / 3, 0}, 1e-15);
    const oracle::Bounded loss = oracle::aux_loss(f.value, means.value, 1);
    check_near(loss, {1.290589}, 5e-7);
    for (const double other : {2.581177, 1.652394, 1.174396, 1.333333}) {
      CHECK(!loss.accepts(0, other));
    }
    const oracle::Bounded dprobs = oracle::aux_loss_backward(f.value, 3, 1);
    check_near(oracle::softmax_rows_backward(probs.value, dprobs.value, 3, 4),
               {.009175, .003375, .001242, -.013791, .009175, .001242, .003375, -.013791, .001242,
                .009175, .003375, -.013791},
               5.1e-7);
    // A loss below alpha: alpha is its value at balance, not a bound.
    const oracle::Bounded below = oracle::aux_loss(
        Doubles{.5, .5, 0}, oracle::mean_probs(Doubles{.4, .3, .3, 0, .501, .499}, 2, 3).value, 1);
    check_near(below, {.9008}, 1e-3);
    const oracle::Bounded balanced = oracle::aux_loss(Doubles(8, .125), Doubles(8, .125), .3);
    check_near(balanced, {.3}, 1e-15);
  }

  TEST_CASE("no tokens: losses, fractions and means are 0, exactly") {
    CHECK(oracle::dispatch_fractions({0, 0}, 0).value == Doubles(2));
    CHECK(oracle::mean_probs(Doubles{}, 0, 2).value == Doubles(2));
    CHECK(oracle::mean_probs(Doubles{}, 0, 2).bound == Doubles(2));
    CHECK(oracle::aux_loss(Doubles(2), Doubles(2), .1).bound == Doubles(1));
    CHECK(oracle::mse_loss(Doubles{}, Doubles{}).value == Doubles(1));
    CHECK(oracle::mse_loss(Doubles{}, Doubles{}).bound == Doubles(1));
    CHECK(oracle::mse_loss_backward(Doubles{}, Doubles{}).size() == 0);
  }

  TEST_CASE("049 to 052: a layer without tokens keeps its parameters, exactly") {
    const MoeConfig config{0, 2, 3, 4, 2, Activation::gelu, .1F};
    const Doubles Wg(8, 1), W1(24, 2), b1(12, 3), W2(24, 4), b2(8, 5);
    const oracle::TrainLoop loop =
        oracle::train_loop(config, {Wg, W1, b1, W2, b2}, Doubles{}, Doubles{}, .1, 2);
    CHECK(loop.loss_history.value == Doubles(4));
    CHECK(loop.loss_history.bound == Doubles(4));
    CHECK(loop.params.W1.value == W1);
    CHECK(loop.params.W1.bound == Doubles(24));
    CHECK(loop.params.Wg.bound == Doubles(8));
    CHECK(loop.last.forward.counts == Ints(4));
    CHECK(loop.last.forward.offsets == Ints(5));
    CHECK(loop.last.forward.mean_probs.value == Doubles(4));
    CHECK(loop.last.backward.dX.size() == 0);
    CHECK(loop.certain);
  }

  TEST_CASE("045 to 048: loss, its gradient and a step") {
    CHECK(oracle::mse_loss(Doubles{1, 2}, Doubles{0, 4}).value == Doubles{2.5});
    CHECK(oracle::mse_loss_backward(Doubles{1, 2}, Doubles{0, 4}).value == Doubles{1, -2});
    CHECK(oracle::sgd_update(Doubles{1, 2}, Doubles{2, -4}, .25).value == Doubles{.5, 3});
  }

  TEST_CASE("wrong sizes and indices are the caller's mistake, and are said to be") {
    CHECK_THROWS_AS(oracle::matmul_nn(Doubles(5), Doubles(6), 2, 2, 3), std::invalid_argument);
    CHECK_THROWS_AS(oracle::count_tokens({0, 3}, 3), std::invalid_argument);
    CHECK_THROWS_AS(oracle::gather_tokens(Doubles(4), {0, 0}, 2, 2, 1), std::invalid_argument);
    CHECK_THROWS_AS(oracle::expert_up(Doubles(4), Doubles(8), {0, 1, 1}, 2, 2, 2, 2),
                    std::invalid_argument);
    CHECK_THROWS_AS(oracle::topk_rows(Doubles(4), 2, 2, 3), std::invalid_argument);
  }
}

}  // namespace
}  // namespace oracle_test
