// The trainer's side of what `grade train` shows: a JSON object a line, on the descriptor that
// GRADE_VERDICT_FD names, or on standard output.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "settings.h"

namespace train {

struct BenchResult {
  int ranks = 1;
  std::string exchange;
  double step_ms = 0;
  double exchange_ms = 0;      // of a step: rows alone, with nothing else to do
  std::size_t most_bytes = 0;  // that a rank sends in a step, the most of all ranks
};

class Reporter {
 public:
  Reporter();
  static Reporter silent() { return Reporter(-1); }  // of a rank that is not the first

  // `exchange`: how the ranks reach each other. `diverged`: where a run from this checkpoint did;
  // 0: none has.
  void start(const Settings& settings, int step, std::span<const float> losses, int ranks,
             const char* exchange, int diverged) const;
  // `when` is "before" or "after".
  void load(const char* when, const std::vector<float>& shares) const;
  // Losses [2*n] of the steps from `first` on.
  void losses(int first, std::span<const float> values) const;
  void checkpoint(int step) const;
  void bench(const Settings& settings, const BenchResult& result) const;
  // `status`: "done", "interrupted", "diverged", "refused" (what it was told to do), or "failed";
  // `message` for the last two.
  void end(const char* status, int step, const std::string& message = {}) const;

 private:
  explicit Reporter(int descriptor) : descriptor_(descriptor) {}
  void line(const std::string& text) const;

  int descriptor_;
};

}  // namespace train
