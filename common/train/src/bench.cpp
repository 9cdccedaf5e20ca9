#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parallel/share.h"
#include "ranks.h"

namespace train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWarmUp = 3;
constexpr int kExchanges = 10;

// Even between -deviation and +deviation times the root of 3: any spread will do here.
std::vector<float> spread(std::uint64_t seed, std::size_t count, double deviation) {
  std::vector<float> values(count);
  const auto scale = static_cast<float>(deviation * std::sqrt(3.0) * 0x1p-31);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = scale * static_cast<float>(static_cast<std::int32_t>(state >> 32));
  }
  return values;
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

void bench(const Settings& settings, const parallel::Group& group, const Reporter& reporter) {
  const MoeConfig& config = settings.config;
  const auto tokens = parallel::share_of(config.T, group.size(), group.rank());
  const auto experts = parallel::share_of(config.E, group.size(), group.rank());
  const auto D = static_cast<std::size_t>(config.D), H = static_cast<std::size_t>(config.H),
             rows = static_cast<std::size_t>(tokens.count) * D,
             own = static_cast<std::size_t>(experts.count), E = static_cast<std::size_t>(config.E);
  const auto rank = static_cast<std::uint64_t>(group.rank());
  const Task task{spread(10 * rank + 1, rows, 1.0), spread(10 * rank + 2, rows, 1.0)};
  Parameters parameters;
  parameters.Wg = spread(3, D * E, 1.0 / std::sqrt(config.D));
  parameters.W1 = spread(10 * rank + 4, own * D * H, std::sqrt(2.0 / config.D));
  parameters.b1.resize(own * H);
  parameters.W2 = spread(10 * rank + 5, own * H * D, std::sqrt(1.0 / config.H));
  parameters.b2.resize(own * D);

  const auto [layer, ranked, exchange] = make_layer(settings, group, task, parameters);
  layer->train(kWarmUp, settings.lr);
  // Several runs: one that was disturbed does not count. Each ends when all ranks are done, for
  // they tell each other their losses.
  const int part = std::max(1, settings.bench / 5);
  std::vector<double> steps;
  for (int done = 0; done < settings.bench; done += part) {
    const Clock::time_point begin = Clock::now();
    layer->train(part, settings.lr);
    steps.push_back(milliseconds(Clock::now() - begin) / part);
  }
  BenchResult result{.ranks = group.size(), .exchange = exchange, .step_ms = median(steps)};
  if (ranked != nullptr) {
    ranked->exchange_rows();
    ranked->wait();
    group.all_gather(0);
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < kExchanges; ++i) ranked->exchange_rows();
    ranked->wait();
    group.all_gather(0);
    // A step's rows go there and back twice.
    result.exchange_ms = 2 * milliseconds(Clock::now() - begin) / kExchanges;
    for (const std::size_t bytes : group.all_gather(ranked->bytes_sent())) {
      result.most_bytes = std::max(result.most_bytes, 2 * bytes);
    }
  }
  reporter.bench(settings, result);
}

}  // namespace train
