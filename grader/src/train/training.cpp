#include "train/training.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace grade {
namespace {

using nlohmann::json;

// Where a loss counts as trained, of where it began.
constexpr double kTrained = 0.1;

void append(std::vector<double>& values, const json& more) {
  for (const json& each : more) {
    values.push_back(each.is_number() ? each.get<double>()
                                      : std::numeric_limits<double>::quiet_NaN());
  }
}

void read_start(Training& training, const json& line) {
  training.tokens = line.at("tokens");
  training.width = line.at("width");
  training.hidden = line.at("hidden");
  training.experts = line.at("experts");
  training.top = line.at("top");
  training.activation = line.at("activation");
  training.alpha = line.at("alpha");
  training.lr = line.at("lr");
  training.seed = line.at("seed");
  training.steps = line.at("steps");
  training.first_step = line.at("step");
  training.diverged = line.at("diverged");
  training.ranks = line.at("ranks");
  training.exchange = line.at("exchange");
  training.mse.clear();
  training.aux.clear();
  append(training.mse, line.at("mse"));
  append(training.aux, line.at("aux"));
}

}  // namespace

void read_training_line(Training& training, std::string_view text) {
  const json line = json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("type")) return;
  try {
    const std::string type = line.at("type");
    if (type == "start") {
      read_start(training, line);
    } else if (type == "losses") {
      append(training.mse, line.at("mse"));
      append(training.aux, line.at("aux"));
    } else if (type == "load") {
      auto& load = line.at("when") == "before" ? training.load_before : training.load_after;
      load = line.at("shares").get<std::vector<double>>();
    } else if (type == "checkpoint") {
      training.kept_step = line.at("step");
    } else if (type == "end") {
      training.status = line.at("status");
      training.message = line.at("message");
    }
  } catch (const json::exception&) {
    // Not one of ours.
  }
}

bool trained(const Training& training) {
  return !training.mse.empty() && training.mse.back() < kTrained * training.mse.front();
}

}  // namespace grade
