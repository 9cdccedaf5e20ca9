// What a training came to: in words and curves or as JSON, and as a picture beside its checkpoint.
#pragma once

#include <filesystem>

#include "cli/exit_code.h"
#include "train/options.h"
#include "train/trainer.h"
#include "train/training.h"

namespace grade {

// Of a run that is done, was interrupted or has diverged; with `reference`, beside that one's. The
// picture goes to `folder`.
Exit conclude(const TrainOptions& options, const Training& training, const Training* reference,
              const std::filesystem::path& folder);

Exit conclude_failed(const TrainOptions& options, const TrainerRun& run);

}  // namespace grade
