#include "train/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/error.h"
#include "terminal/shell.h"
#include "terminal/terminal.h"

namespace grade {
namespace {

void require_within(const char* name, int value, int least, int most) {
  if (value >= least && value <= most) return;
  throw Error(Exit::usage, fmt::format("{} takes {} to {}, not {}", name, least, most, value));
}

}  // namespace

void check_options(const TrainOptions& options) {
  if (options.mine && options.fast) {
    throw Error(Exit::usage, "--mine and --fast exclude each other",
                "--mine trains with your kernels, --fast with the workbook's.");
  }
  if (options.no_compare && !options.mine) {
    throw Error(Exit::usage, "--no-compare goes with --mine",
                "Without --mine there is no other curve to compare with.");
  }
  const int tokens = options.tokens.value_or(TrainOptions::kTokens);
  const int width = options.width.value_or(TrainOptions::kWidth);
  const int hidden = options.hidden.value_or(TrainOptions::kHidden);
  const int top = options.top.value_or(TrainOptions::kTop);
  // Without a word of the experts, a checkpoint has its own number of them.
  const int experts = options.experts.value_or(options.resume ? 1024 : TrainOptions::kExperts);
  require_within("--steps", options.steps, 1, 10'000'000);
  require_within("--gpus", options.gpus, 1, 64);
  require_within("--tokens", tokens, 1, 1 << 20);
  require_within("--width", width, 1, 1 << 14);
  require_within("--hidden", hidden, 1, 1 << 16);
  require_within("--experts", experts, 1, 1024);
  if (options.top || !options.resume) require_within("--top", top, 1, std::min(experts, 16));
  if (const double lr = options.lr.value_or(TrainOptions::kLr); !(lr > 0) || !std::isfinite(lr)) {
    throw Error(Exit::usage, fmt::format("--lr takes a number above 0, not {}", lr));
  }
  if (const double alpha = options.alpha.value_or(TrainOptions::kAlpha);
      !(alpha >= 0) || !std::isfinite(alpha)) {
    throw Error(Exit::usage, fmt::format("--alpha takes 0 or more, not {}", alpha));
  }
  if (options.resume) return;  // the checkpoint's sizes are the ones that count
  const std::uint64_t largest =
      std::max({std::uint64_t(tokens) * unsigned(top) * unsigned(std::max(width, hidden)),
                std::uint64_t(experts) * unsigned(width) * unsigned(hidden),
                std::uint64_t(tokens) * unsigned(experts)});
  if (largest > (std::uint64_t{1} << 31) - 4096) {
    throw Error(Exit::usage, "these sizes make an array of more than 2^31 - 4096 elements",
                "Every array of the layer must stay below that.");
  }
}

const char* kernels_name(const TrainOptions& options) {
  return options.mine ? "mine" : options.fast ? "fast" : "reference";
}

std::vector<std::string> trainer_arguments(const TrainOptions& options) {
  std::vector<std::string> arguments;
  const auto add = [&](const char* name, const std::string& value) {
    arguments.insert(arguments.end(), {name, value});
  };
  // Those that were not given are the checkpoint's, with --resume.
  const auto setting = [&](const char* name, const auto& given, const auto& otherwise) {
    if (given) {
      add(name, fmt::format("{}", *given));
    } else if (!options.resume) {
      add(name, fmt::format("{}", otherwise));
    }
  };
  setting("--tokens", options.tokens, TrainOptions::kTokens);
  setting("--width", options.width, TrainOptions::kWidth);
  setting("--hidden", options.hidden, TrainOptions::kHidden);
  setting("--experts", options.experts, TrainOptions::kExperts);
  setting("--top", options.top, TrainOptions::kTop);
  const std::string& activation = options.activation;
  setting("--activation", activation.empty() ? nullptr : &activation, TrainOptions::kActivation);
  setting("--alpha", options.alpha, TrainOptions::kAlpha);
  setting("--lr", options.lr, TrainOptions::kLr);
  setting("--seed", options.seed, TrainOptions::kSeed);
  add("--steps", std::to_string(options.steps));
  add("--report-every", std::to_string(std::clamp(options.steps / 100, 1, 100)));
  if (options.gpus > 1) add("--ranks", std::to_string(options.gpus));
  if (!options.exchange.empty()) add("--exchange", options.exchange);
  return arguments;
}

std::string resuming(const TrainOptions& options) {
  std::string text =
      fmt::format("{} train --resume --steps {}", terminal::command(), options.steps);
  if (options.mine) text += " --mine";
  if (options.fast) text += " --fast";
  if (options.backend != "cpu") text += " --backend " + options.backend;
  if (options.gpus > 1) text += fmt::format(" --gpus {}", options.gpus);
  if (!options.exchange.empty()) text += " --exchange " + options.exchange;
  if (!options.out.empty()) {
    text += " --out " + terminal::shell_quoted((options.out[0] == '-' ? "./" : "") + options.out);
  }
  return text;
}

}  // namespace grade
