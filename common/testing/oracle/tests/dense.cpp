// A second formulation of the layer, written from its definition: every expert on every token, a
// matrix of weights that is 0 where an expert was not chosen, softmax over the chosen logits alone.
// No pairs, no slots, no packing.
#include <algorithm>
#include <cstdint>

#include "check.h"
#include "layers.h"

namespace oracle_test {
namespace {

struct Dense {
  Doubles out, dX, dWg, dW1, db1, dW2, db2;
  double mse = 0, aux = 0;
};

Dense dense_layer(const RandomLayer& l) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t T = size(l.config.T), D = size(l.config.D), H = size(l.config.H);
  const std::size_t E = size(l.config.E), K = size(l.config.K);
  const double alpha = l.config.aux_alpha;
  const bool relu = l.config.activation == Activation::relu;
  Dense r;
  r.out.resize(T * D);
  r.dX.resize(T * D);
  r.dWg.resize(D * E);
  r.dW1.resize(E * D * H);
  r.db1.resize(E * H);
  r.dW2.resize(E * H * D);
  r.db2.resize(E * D);

  Doubles probs(T * E), weight(T * E), share(E), mean(E), Z(T * E * H), Y(T * E * D);
  for (std::size_t t = 0; t < T; ++t) {
    Doubles logits(E);
    double total = 0, chosen_total = 0;
    for (std::size_t e = 0; e < E; ++e) {
      for (std::size_t d = 0; d < D; ++d) logits[e] += l.X[t * D + d] * l.Wg[d * E + e];
      total += std::exp(logits[e]);
    }
    for (std::size_t e = 0; e < E; ++e) {
      probs[t * E + e] = std::exp(logits[e]) / total;
      mean[e] += probs[t * E + e] / static_cast<double>(T);
      // Chosen if fewer than K experts come before it.
      std::size_t before = 0;
      for (std::size_t o = 0; o < E; ++o) {
        before += logits[o] > logits[e] || (logits[o] == logits[e] && o < e) ? 1 : 0;
      }
      if (before >= K) continue;
      weight[t * E + e] = std::exp(logits[e]);
      chosen_total += weight[t * E + e];
      share[e] += 1 / static_cast<double>(T * K);
    }
    for (std::size_t e = 0; e < E; ++e) weight[t * E + e] /= chosen_total;
    for (std::size_t e = 0; e < E; ++e) {
      double* const y = &Y[(t * E + e) * D];
      for (std::size_t d = 0; d < D; ++d) y[d] = l.b2[e * D + d];
      for (std::size_t h = 0; h < H; ++h) {
        double z = l.b1[e * H + h];
        for (std::size_t d = 0; d < D; ++d) z += l.X[t * D + d] * l.W1[(e * D + d) * H + h];
        Z[(t * E + e) * H + h] = z;
        const double a =
            relu ? std::max(z, 0.0)
                 : z / 2 *
                       (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (z + .044715 * z * z * z)));
        for (std::size_t d = 0; d < D; ++d) y[d] += a * l.W2[(e * H + h) * D + d];
      }
      for (std::size_t d = 0; d < D; ++d) r.out[t * D + d] += weight[t * E + e] * y[d];
    }
  }
  for (std::size_t e = 0; e < E; ++e) r.aux += alpha * static_cast<double>(E) * share[e] * mean[e];

  for (std::size_t t = 0; t < T; ++t) {
    Doubles dOut(D), dweight(E), dlogits(E);
    for (std::size_t d = 0; d < D; ++d) {
      const double difference = r.out[t * D + d] - l.target[t * D + d];
      r.mse += difference * difference / static_cast<double>(T * D);
      dOut[d] = 2 * difference / static_cast<double>(T * D);
    }
    double mean_dweight = 0, mean_share = 0;
    for (std::size_t e = 0; e < E; ++e) {
      for (std::size_t d = 0; d < D; ++d) dweight[e] += dOut[d] * Y[(t * E + e) * D + d];
      mean_dweight += weight[t * E + e] * dweight[e];
      mean_share += probs[t * E + e] * share[e];
    }
    for (std::size_t e = 0; e < E; ++e) {
      const double w = weight[t * E + e];
      // d weight / d logits: softmax over the chosen. d aux / d logits: softmax over all.
      dlogits[e] = w * (dweight[e] - mean_dweight) + alpha * static_cast<double>(E) /
                                                         static_cast<double>(T) * probs[t * E + e] *
                                                         (share[e] - mean_share);
      for (std::size_t d = 0; d < D; ++d) {
        r.dWg[d * E + e] += l.X[t * D + d] * dlogits[e];
        r.dX[t * D + d] += l.Wg[d * E + e] * dlogits[e];
        r.db2[e * D + d] += w * dOut[d];
      }
      for (std::size_t h = 0; h < H; ++h) {
        const double z = Z[(t * E + e) * H + h];
        const double c = std::sqrt(2 / std::acos(-1.0));
        const double th = std::tanh(c * (z + .044715 * z * z * z));
        const double a = relu ? std::max(z, 0.0) : z / 2 * (1 + th);
        const double slope = relu
                                 ? (z > 0 ? 1 : 0)
                                 : (1 + th) / 2 + z / 2 * (1 - th * th) * c * (1 + .134145 * z * z);
        double dz = 0;
        for (std::size_t d = 0; d < D; ++d) {
          r.dW2[(e * H + h) * D + d] += a * w * dOut[d];
          dz += w * dOut[d] * l.W2[(e * H + h) * D + d] * slope;
        }
        r.db1[e * H + h] += dz;
        for (std::size_t d = 0; d < D; ++d) {
          r.dW1[(e * D + d) * H + h] += l.X[t * D + d] * dz;
          r.dX[t * D + d] += l.W1[(e * D + d) * H + h] * dz;
        }
      }
    }
  }
  return r;
}

TEST_SUITE("dense formulation") {
  TEST_CASE("049 and 050: the packed layer equals the dense one") {
    for (const MoeConfig& config : layer_shapes()) {
      for (std::uint64_t seed = 51; seed < 57; ++seed) {
        const bool tied = seed % 3 == 0;
        INFO(describe(config), tied ? ", tied" : "");
        const RandomLayer layer = random_layer(config, seed, tied);
        const oracle::TrainStep step =
            oracle::train_step(config, layer.params(), layer.X, layer.target, 0);
        const Dense dense = dense_layer(layer);
        check_near(step.forward.out, dense.out, 1e-12);
        check_near(step.mse, {dense.mse}, 1e-12);
        check_near(step.forward.aux, {dense.aux}, 1e-13);
        check_near(step.backward.dX, dense.dX, 1e-12);
        check_near(step.backward.grads.Wg, dense.dWg, 1e-12);
        check_near(step.backward.grads.W1, dense.dW1, 1e-12);
        check_near(step.backward.grads.b1, dense.db1, 1e-12);
        check_near(step.backward.grads.W2, dense.dW2, 1e-12);
        check_near(step.backward.grads.b2, dense.db2, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace oracle_test
