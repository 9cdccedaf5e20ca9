// What `grade train` was asked for: its options, what they are where nobody says, and what they may
// be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grade {

struct TrainOptions {
  // What is trained where nobody says otherwise.
  static constexpr int kTokens = 256, kWidth = 8, kHidden = 16, kExperts = 8, kTop = 2;
  static constexpr double kLr = 0.3, kAlpha = 0.01;
  static constexpr std::uint64_t kSeed = 1;
  static constexpr const char* kActivation = "relu";

  bool mine = false;
  bool fast = false;
  bool resume = false;
  bool no_compare = false;
  bool json = false;
  int steps = 300;
  // Not given: the defaults, or with --resume what the checkpoint has.
  std::optional<int> tokens{}, width{}, hidden{}, experts{}, top{};
  std::optional<double> lr{}, alpha{};
  std::optional<std::uint64_t> seed{};
  std::string activation{};  // relu, gelu; empty: not given
  std::string backend = "cpu";
  int gpus = 1;
  std::string exchange{};  // nccl, sockets; empty: not given
  std::string out{};       // the folder; empty: the workbook's training/
};

// Throws Error(usage) where options exclude each other or a value is out of its range.
void check_options(const TrainOptions& options);

// "mine", "fast", "reference".
const char* kernels_name(const TrainOptions& options);

// What the trainer (common/train/src/settings.h) has to know of them.
std::vector<std::string> trainer_arguments(const TrainOptions& options);

// The command that goes on with such a run, as a user has to type it.
std::string resuming(const TrainOptions& options);

}  // namespace grade
