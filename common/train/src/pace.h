// How many steps to train before the next look at the clock and at whether to stop.
#pragma once

#include <algorithm>
#include <chrono>

namespace train {

// Small parts first, then as many steps as take about `kPart`, whatever the sizes: a request to
// stop waits for the part that runs, or for one step where that alone takes longer.
class Pace {
 public:
  using Duration = std::chrono::duration<double>;
  static constexpr Duration kPart{0.25};

  explicit Pace(int most) : most_(std::max(most, 1)) {}

  int steps() const { return steps_; }
  void took(Duration time) {
    const double fit = kPart / std::max(time / steps_, Duration(1e-9));
    steps_ = static_cast<int>(std::clamp(fit, 1.0, std::min(2.0 * steps_, 1.0 * most_)));
  }

 private:
  int most_;
  int steps_ = 1;
};

}  // namespace train
