// A checkpoint: all that a run needs to go on as though it had never stopped.
//
// The file is a line of JSON (format, sizes, seed, rate, steps done, checksum), then the parameters
// and the losses so far as binary32, little-endian.
#pragma once

#include <string>
#include <vector>

#include "parameters.h"
#include "settings.h"

namespace train {

struct Checkpoint {
  Settings settings;  // sizes, alpha, rate, seed
  int step = 0;       // steps done
  Parameters parameters;
  std::vector<float> losses;  // [2*step]: mse, aux of each
  int diverged = 0;           // the later step at which its run's numbers failed; 0: they did not
};

// Replaces `path` as a whole: whatever happens, it holds the old checkpoint or the new one. Throws
// std::runtime_error that says why it could not.
void save(const std::string& path, const Checkpoint& checkpoint);

// Throws std::runtime_error for a file that is damaged, cut short, or no checkpoint.
Checkpoint load(const std::string& path);

}  // namespace train
