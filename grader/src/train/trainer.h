// Runs the trainer (common/train) in the sandbox, and shows how it gets on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "build/build_tree.h"
#include "train/options.h"
#include "train/training.h"

namespace grade {

// Where a training in this folder keeps its checkpoint.
std::filesystem::path checkpoint_in(const std::filesystem::path& folder);

struct TrainerRun {
  Training training;          // its status is never empty
  bool file_trouble = false;  // it failed as a file could not be read or written
};

// While there is one, Ctrl-C ends the run, not the tool: the trainer keeps its checkpoint first.
class Trainer {
 public:
  // The options must outlive it.
  Trainer(const TrainOptions& options, const BuildTree& tree, std::filesystem::path folder);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // `kept`: the run has the folder's checkpoint, and goes on from it with --resume. `none`: it is
  // made for its curve alone.
  enum class Checkpoint { kept, none };
  // On an object for each lesson, callees first.
  TrainerRun run(const std::vector<std::filesystem::path>& kernels, Checkpoint checkpoint) const;

 private:
  std::uint64_t memory_limit() const;

  const TrainOptions& options_;
  std::filesystem::path program_;
  Backend backend_;
  std::filesystem::path folder_;
  void (*interrupt_before_)(int) = nullptr;
};

}  // namespace grade
