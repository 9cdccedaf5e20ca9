// What a limit of time counts.
#pragma once

#include <algorithm>
#include <chrono>

namespace grade::sandbox {

// A program's own time: what it worked (processor time; threads and children add up) and what it
// waited of its own accord (asleep, for a lock, for input). Time in which it was ready and other
// programs had the processors, or a disk kept it, is not its own: a busy machine makes no program
// look endless. Own time never exceeds the time that has passed, however many threads work.
class OwnTime {
 public:
  using Time = std::chrono::milliseconds;

  // 0: no limit.
  explicit OwnTime(Time limit) : limit_(limit.count() > 0 ? limit : Time::max()) {}

  // What is seen `passed` after the start: how long the program has worked, and whether all of it
  // waits just now.
  void look(Time passed, Time worked, bool waits) {
    const Time gained = std::max(worked - worked_, Time::zero());
    // Who waits at either end of an interval could have worked in it. Not in a long one: then the
    // observer had no processor either.
    if (waits || waited_before_) {
      waited_ += std::max(std::min(passed - passed_, kLongestInterval) - gained, Time::zero());
    }
    worked_ += gained;
    passed_ = passed;
    waited_before_ = waits;
  }

  Time worked() const { return worked_; }
  Time waited() const { return waited_; }
  bool used_up() const { return left() <= Time::zero(); }
  // Far more time than the limit has passed without being the program's own.
  bool starved() const { return passed_ / kPatience >= limit_; }
  // How soon, at the earliest, the time can be used up.
  Time left() const { return limit_ - std::min(passed_, worked_ + waited_); }

 private:
  static constexpr Time kLongestInterval{1000};
  static constexpr int kPatience = 10;

  Time limit_;
  Time passed_{};
  Time worked_{};
  Time waited_{};
  bool waited_before_ = false;
};

}  // namespace grade::sandbox
