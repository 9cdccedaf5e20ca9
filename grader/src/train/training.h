// What a training run reports, line by line: the other end of common/train/src/reporter.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grade {

struct Training {
  int tokens = 0, width = 0, hidden = 0, experts = 0, top = 0;
  std::string activation;
  double alpha = 0;
  double lr = 0;
  std::uint64_t seed = 0;
  int steps = 0;
  int ranks = 1;         // processes
  std::string exchange;  // how they reach each other
  int first_step = 0;    // where it began: past 0 after --resume
  int diverged = 0;      // where a run from the same checkpoint diverged; 0: none has

  std::vector<double> mse;  // a step each; NaN where it was no number
  std::vector<double> aux;
  std::vector<double> load_before;  // [experts], shares of the pairs
  std::vector<double> load_after;
  int kept_step = -1;  // of the last checkpoint
  // done, interrupted, diverged, refused, failed; empty: it ended without a word.
  std::string status;
  std::string message;  // why it failed
};

// Adds one line. A line that is none of the trainer's is ignored: a kernel may print.
void read_training_line(Training& training, std::string_view line);

// Whether the task's loss fell below a tenth of where it began.
bool trained(const Training& training);

}  // namespace grade
