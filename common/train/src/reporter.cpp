#include "reporter.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace train {
namespace {

// JSON has no NaN and no infinity: null stands for them.
nlohmann::json every_second(std::span<const float> values, std::size_t first) {
  nlohmann::json result = nlohmann::json::array();
  for (std::size_t i = first; i < values.size(); i += 2) {
    if (std::isfinite(values[i])) {
      result.push_back(values[i]);
    } else {
      result.push_back(nullptr);
    }
  }
  return result;
}

nlohmann::json sizes(const Settings& settings) {
  const MoeConfig& config = settings.config;
  return {{"tokens", config.T},
          {"width", config.D},
          {"hidden", config.H},
          {"experts", config.E},
          {"top", config.K},
          {"activation", config.activation == Activation::relu ? "relu" : "gelu"}};
}

}  // namespace

// `grade` names the channel; that some descriptor 3 is open says nothing, for launchers leave
// theirs.
Reporter::Reporter() {
  const char* const channel = std::getenv("GRADE_VERDICT_FD");
  descriptor_ = channel != nullptr ? std::atoi(channel) : STDOUT_FILENO;
}

void Reporter::line(const std::string& text) const {
  if (descriptor_ < 0) return;
  const std::string whole = text + "\n";
  std::size_t done = 0;
  while (done < whole.size()) {
    const ssize_t written = write(descriptor_, whole.data() + done, whole.size() - done);
    if (written < 0 && errno != EINTR) return;  // nobody reads any more
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

void Reporter::start(const Settings& settings, int step, std::span<const float> losses, int ranks,
                     const char* exchange, int diverged) const {
  nlohmann::json start = sizes(settings);
  start.update({{"type", "start"},
                {"alpha", settings.config.aux_alpha},
                {"lr", settings.lr},
                {"seed", settings.seed},
                {"steps", settings.steps},
                {"step", step},
                {"diverged", diverged},
                {"ranks", ranks},
                {"exchange", exchange},
                {"mse", every_second(losses, 0)},
                {"aux", every_second(losses, 1)}});
  line(start.dump());
}

void Reporter::load(const char* when, const std::vector<float>& shares) const {
  line(nlohmann::json{{"type", "load"}, {"when", when}, {"shares", shares}}.dump());
}

void Reporter::losses(int first, std::span<const float> values) const {
  line(nlohmann::json{{"type", "losses"},
                      {"first", first},
                      {"mse", every_second(values, 0)},
                      {"aux", every_second(values, 1)}}
           .dump());
}

void Reporter::checkpoint(int step) const {
  line(nlohmann::json{{"type", "checkpoint"}, {"step", step}}.dump());
}

void Reporter::bench(const Settings& settings, const BenchResult& result) const {
  nlohmann::json bench = sizes(settings);
  bench.update({{"type", "bench"},
                {"ranks", result.ranks},
                {"exchange", result.exchange},
                {"step_ms", result.step_ms},
                {"exchange_ms", result.exchange_ms},
                {"most_bytes", result.most_bytes}});
  line(bench.dump());
}

void Reporter::end(const char* status, int step, const std::string& message) const {
  line(nlohmann::json{{"type", "end"}, {"status", status}, {"step", step}, {"message", message}}
           .dump());
}

}  // namespace train
