// Every number that the workbook's examples 6 to 10 print, from the whole layer and from its parts.
#include "micro_batch.h"

#include "check.h"

namespace oracle_test {
namespace {

using Doubles = std::vector<double>;
using Ints = std::vector<int>;

double dot(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST_SUITE("micro-batch") {
  TEST_CASE("017 to 019: logits, probabilities, choices, gates") {
    const MicroBatch m;
    const oracle::Forward f = oracle::moe_forward(m.config, m.params(), m.X);
    const double ln2 = std::log(2.0);
    Doubles logits;
    for (const int n : {0, -1, 1, -2, 1, -1, -2, 0, 1, -2, -1, -2}) logits.push_back(n * ln2);
    check_near(f.logits, logits, 1e-15);
    check_near(f.probs,
               {4 / 15., 2 / 15., 8 / 15., 1 / 15., 8 / 15., 2 / 15., 1 / 15., 4 / 15., 8 / 12.,
                1 / 12., 2 / 12., 1 / 12.},
               1e-15);
    CHECK(f.experts == Ints{2, 0, 0, 3, 0, 2});
    check_near(f.gates, {2 / 3., 1 / 3., 2 / 3., 1 / 3., 4 / 5., 1 / 5.}, 1e-15);
    CHECK(f.certain);
  }

  TEST_CASE("021 to 023: counts, offsets, slots") {
    const MicroBatch m;
    const oracle::Forward f = oracle::moe_forward(m.config, m.params(), m.X);
    CHECK(f.counts == Ints{3, 0, 2, 1});
    CHECK(f.offsets == Ints{0, 3, 3, 5, 6});
    CHECK(f.slot_of_pair == Ints{3, 0, 1, 5, 2, 4});
    CHECK(f.pair_of_slot == Ints{1, 2, 4, 0, 5, 3});
  }

  TEST_CASE("026 to 028, 045 and 046: outputs, loss and the first gradients") {
    const MicroBatch m;
    const oracle::Forward f = oracle::moe_forward(m.config, m.params(), m.X);
    check_near(f.Ys, {3, 1, 4, 1, 5, 2, 1, 1, -1, 0, -3, 2}, 1e-14);
    check_near(f.out, {5 / 3., 1, 5 / 3., 4 / 3., 19 / 5., 8 / 5.}, 1e-14);
    const oracle::Bounded swapped =
        oracle::combine_tokens(f.Ys.value, f.pair_of_slot, f.gates.value, 3, 2, 2);
    check_near(row(swapped, 0, 2), {13 / 3., 4 / 3.}, 1e-14);
    CHECK(!f.out.accepts(0, 13 / 3.));
    CHECK(!f.out.accepts(0, 7 / 3.));  // the gate on the input
    check_near(oracle::mse_loss(f.out.value, m.target), {4 / 5.}, 1e-14);
    const oracle::Bounded dOut = oracle::mse_loss_backward(f.out.value, m.target);
    check_near(dOut, {5 / 9., -1 / 3., -1 / 9., 1 / 9., 4 / 15., -2 / 15.}, 1e-14);
    const oracle::Bounded dYs =
        oracle::combine_backward_experts(dOut.value, f.gates.value, f.pair_of_slot, 3, 2, 2);
    check_near(row(dYs, 0, 2), {5 / 27., -1 / 9.}, 1e-14);
    CHECK(!dYs.accepts(0, 10 / 27.));  // gates[s]
    check_near(oracle::combine_backward_gates(dOut.value, f.Ys.value, f.slot_of_pair, 3, 2, 2),
               {2 / 9., 4 / 3., -1 / 3., 5 / 9., 16 / 15., -4 / 15.}, 1e-14);
  }

  TEST_CASE("041 to 044: the auxiliary loss and other conventions") {
    const MicroBatch m;
    const oracle::Forward f = oracle::moe_forward(m.config, m.params(), m.X);
    check_near(f.mean_probs, {22 / 45., 7 / 60., 23 / 90., 5 / 36.}, 1e-15);
    check_near(f.fractions, {1 / 2., 0, 1 / 3., 1 / 6.}, 1e-15);
    check_near(oracle::aux_loss(f.fractions.value, f.mean_probs.value, m.alpha), {.1 * 127 / 90},
               1e-15);
    const oracle::Bounded loss = oracle::aux_loss(f.fractions.value, f.mean_probs.value, 1);
    check_near(loss, {1.411111}, 5e-7);
    for (const double other : {2.822222, 1.644444, 1.348148, 1.659259}) {
      CHECK(!loss.accepts(0, other));
    }
    const oracle::Bounded dprobs = oracle::aux_loss_backward(f.fractions.value, 3, m.alpha);
    for (std::size_t t = 0; t < 3; ++t) {
      check_near(row(dprobs, t, 4), {1 / 15., 0, 2 / 45., 1 / 45.}, 1e-15);
    }
    const oracle::Bounded dlogits =
        oracle::softmax_rows_backward(f.probs.value, dprobs.value, 3, 4);
    check_near(row(dlogits, 0, 4), {.006321, -.005728, .000790, -.001383}, 5.1e-7);
  }

  TEST_CASE("020: the task reaches the chosen logits only") {
    const MicroBatch m;
    const oracle::Forward f = oracle::moe_forward(m.config, m.params(), m.X);
    const Doubles dgates{2 / 9., 4 / 3., -1 / 3., 5 / 9., 16 / 15., -4 / 15.};
    CHECK(dgates[0] * f.gates.value[0] + dgates[1] * f.gates.value[1] ==
          doctest::Approx(16 / 27.).epsilon(1e-14));
    const oracle::RouterBackward task = oracle::router_backward(
        m.X, m.Wg, f.probs.value, f.experts, dgates, oracle::Input(), Doubles(8), 3, 2, 4, 2);
    check_near(row(task.dprobs, 0, 4), {25 / 27., 0, -25 / 54., 0}, 1e-14);
    check_near(row(task.dlogits, 0, 4), {20 / 81., 0, -20 / 81., 0}, 1e-14);
    const oracle::Bounded aux = oracle::aux_loss_backward(f.fractions.value, 3, m.alpha);
    const oracle::RouterBackward both = oracle::router_backward(
        m.X, m.Wg, f.probs.value, f.experts, dgates, aux.value, Doubles(8), 3, 2, 4, 2);
    check_near(row(both.dlogits, 0, 4), {.253235, -.005728, -.246123, -.001383}, 5.1e-7);
    check_near(both.dWg,
               {.475210, -.010204, -.461000, -.004006, .036296, -.010401, -.214877, .188981},
               5.1e-7);
  }

  // The configuration holds alpha as a float, 1.5e-9 off .1: within what the examples print.
  TEST_CASE("051: one step, its gradients and what it predicts") {
    const MicroBatch m;
    const oracle::TrainStep step = oracle::train_step(m.config, m.params(), m.X, m.target, .1);
    check_near(step.mse, {.8}, 1e-14);
    check_near(step.forward.aux, {.141111}, 5e-7);
    const oracle::BoundedParams& g = step.backward.grads;
    check_near(g.Wg, {.475210, -.010204, -.461000, -.004006, .036296, -.010401, -.214877, .188981},
               5.1e-7);
    check_near(row(g.b2, 1, 2), {0, 0}, 0);
    check_near(row(g.W2, 1, 6), Doubles(6), 0);
    double norm = 0;
    for (const oracle::Bounded* part : {&g.Wg, &g.W1, &g.b1, &g.W2, &g.b2}) {
      norm += dot(part->value, part->value);
    }
    CHECK(norm == doctest::Approx(4.764999).epsilon(1e-7));
    CHECK(step.params.Wg.value[0] == doctest::Approx(-.047521).epsilon(1e-5));
    const oracle::TrainStep next =
        oracle::train_step(m.config, step.params.inputs(), m.X, m.target, .1);
    check_near(next.mse, {.455836}, 5e-7);
    check_near(next.forward.aux, {.140402}, 5e-7);
    CHECK(.8 + .141111 - next.mse.value[0] - next.forward.aux.value[0] ==
          doctest::Approx(.3449).epsilon(1e-4));
  }

  TEST_CASE("052: the loop is the step repeated") {
    const MicroBatch m;
    const oracle::TrainLoop loop = oracle::train_loop(m.config, m.params(), m.X, m.target, .1, 2);
    check_near(loop.loss_history, {.8, .141111, .455836, .140402}, 5.1e-7);
    const oracle::TrainLoop slow = oracle::train_loop(m.config, m.params(), m.X, m.target, .01, 2);
    CHECK(slow.loss_history.value[2] == doctest::Approx(.753748).epsilon(1e-6));
    const oracle::TrainLoop none = oracle::train_loop(m.config, m.params(), m.X, m.target, .1, 0);
    CHECK(none.loss_history.size() == 0);
    CHECK(none.params.W1.value == m.W1);
    CHECK(none.params.W1.bound == Doubles(m.W1.size()));
  }
}

}  // namespace
}  // namespace oracle_test
