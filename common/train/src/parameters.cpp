#include "parameters.h"

#include <algorithm>
#include <cmath>

#include "normal.h"

namespace train {

bool is_finite(const Parameters& parameters) {
  bool all = true;
  Parameters::each(parameters, [&](const std::vector<float>& array) {
    all = all && std::ranges::all_of(array, [](float x) { return std::isfinite(x); });
  });
  return all;
}

Parameters zero_parameters(const MoeConfig& config) {
  const auto D = static_cast<std::size_t>(config.D), H = static_cast<std::size_t>(config.H),
             E = static_cast<std::size_t>(config.E);
  Parameters parameters;
  parameters.Wg.resize(D * E);
  parameters.W1.resize(E * D * H);
  parameters.b1.resize(E * H);
  parameters.W2.resize(E * H * D);
  parameters.b2.resize(E * D);
  return parameters;
}

Parameters initial_parameters(const MoeConfig& config, std::uint64_t seed) {
  Parameters parameters = zero_parameters(config);
  Normal normal(seed, 2);
  const auto fill = [&](std::vector<float>& array, double deviation) {
    array = normal.values(array.size(), 0.0, deviation);
  };
  fill(parameters.Wg, 0.1);
  fill(parameters.W1, std::sqrt(2.0 / config.D));
  fill(parameters.W2, std::sqrt(1.0 / config.H));
  return parameters;
}

}  // namespace train
