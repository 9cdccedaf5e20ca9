#include "task.h"

#include <array>
#include <cmath>

#include "normal.h"

namespace train {
namespace {

// Eighths of the tokens: the first region has five, so an even load is not what the data suggest.
constexpr std::array kShares = {5, 1, 1, 1};
constexpr int kAllShares = 8;

int region_of(int token) {
  int rest = token % kAllShares;
  int region = 0;
  while (rest >= kShares[static_cast<std::size_t>(region)]) {
    rest -= kShares[static_cast<std::size_t>(region)];
    ++region;
  }
  return region;
}

}  // namespace

Task make_task(const MoeConfig& config, std::uint64_t seed) {
  const auto T = static_cast<std::size_t>(config.T), D = static_cast<std::size_t>(config.D);
  Normal normal(seed, 1);
  const std::vector<float> centres = normal.values(kShares.size() * D, 0.0, 1.0);
  const std::vector<float> matrices =
      normal.values(kShares.size() * D * D, 0.0, 1.0 / std::sqrt(static_cast<double>(D)));
  const std::vector<float> vectors = normal.values(kShares.size() * D, 0.0, 1.0);

  Task task;
  task.X.resize(T * D);
  task.target.resize(T * D);
  for (std::size_t t = 0; t < T; ++t) {
    const auto region = static_cast<std::size_t>(region_of(static_cast<int>(t)));
    float* const x = &task.X[t * D];
    for (std::size_t d = 0; d < D; ++d) x[d] = centres[region * D + d] + normal(0.0, 0.5);
    for (std::size_t d = 0; d < D; ++d) {
      double sum = vectors[region * D + d];
      for (std::size_t i = 0; i < D; ++i) {
        sum += static_cast<double>(x[i]) * matrices[(region * D + i) * D + d];
      }
      task.target[t * D + d] = static_cast<float>(sum);
    }
  }
  return task;
}

}  // namespace train
