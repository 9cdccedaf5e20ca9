#include "layers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace oracle_test {

std::vector<MoeConfig> layer_shapes() {
  const Activation relu = Activation::relu, gelu = Activation::gelu;
  // T, D, H, E, K
  return {{5, 3, 4, 6, 2, gelu, .1F},  {5, 3, 4, 6, 2, relu, .1F}, {1, 2, 3, 4, 1, gelu, .5F},
          {1, 3, 2, 5, 4, relu, .2F},  {6, 3, 2, 1, 1, gelu, 1},   {7, 4, 3, 3, 3, gelu, .3F},
          {4, 2, 3, 64, 4, gelu, .1F}, {9, 5, 2, 8, 3, relu, 0},   {12, 2, 5, 4, 2, relu, .7F},
          {3, 1, 1, 2, 1, gelu, .4F},  {20, 4, 6, 7, 4, gelu, 2},  {8, 6, 3, 33, 1, relu, .1F}};
}

std::string describe(const MoeConfig& c) {
  return "T " + std::to_string(c.T) + " D " + std::to_string(c.D) + " H " + std::to_string(c.H) +
         " E " + std::to_string(c.E) + " K " + std::to_string(c.K) +
         (c.activation == Activation::relu ? " ReLU" : " GELU");
}

RandomLayer random_layer(const MoeConfig& config, std::uint64_t seed, bool tied) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int count, double deviation) {
    Doubles out(static_cast<std::size_t>(count));
    std::normal_distribution<double> normal(0, deviation);
    for (double& x : out) x = static_cast<float>(normal(random));
    return out;
  };
  const auto [T, D, H, E, K, activation, alpha] = config;
  while (true) {
    RandomLayer layer{
        config,          draw(T * D, 1),      draw(T * D, 1), draw(D * E, 1), draw(E * D * H, .7),
        draw(E * H, .5), draw(E * H * D, .7), draw(E * D, .5)};
    if (tied) {
      for (std::size_t i = 0; i < layer.Wg.size(); ++i) {
        const std::size_t e = i % static_cast<std::size_t>(E);
        layer.Wg[i] = layer.Wg[i - e + e / 2 * 2];
      }
    }
    const oracle::Forward forward = oracle::moe_forward(config, layer.params(), layer.X);
    double margin = 1;
    for (const double z : forward.Z.value) margin = std::min(margin, std::fabs(z));
    if (activation == Activation::gelu || margin > .01) return layer;
  }
}

}  // namespace oracle_test
