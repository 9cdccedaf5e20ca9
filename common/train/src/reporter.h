// The trainer's side of what `grade train` shows: a JSON object a line, on descriptor 3, or on
// standard output where there is none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "settings.h"

namespace train {

class Reporter {
 public:
  Reporter();

  void start(const Settings& settings, int step, std::span<const float> losses) const;
  // `when` is "before" or "after".
  void load(const char* when, const std::vector<float>& shares) const;
  // Losses [2*n] of the steps from `first` on.
  void losses(int first, std::span<const float> values) const;
  void checkpoint(int step) const;
  // `status`: "done", "interrupted", "diverged", "refused" (what it was told to do), or "failed";
  // `message` for the last two.
  void end(const char* status, int step, const std::string& message = {}) const;

 private:
  void line(const std::string& text) const;

  int descriptor_;
};

}  // namespace train
