#include "timing/records.h"

#include <algorithm>

namespace grade {

std::vector<BestTime> candidates(const Timing& timing, const std::string& kernel_hash) {
  std::vector<BestTime> times;
  if (timing.smoke || timing.device.empty()) return times;
  for (const TimedCase& each : timing.cases) {
    const TimedSubject* const yours = each.sound("yours");
    const TimedSubject* const reference = each.sound("reference");
    if (yours == nullptr || reference == nullptr) continue;
    times.push_back({timing.device,
                     each.shape,
                     yours->median,
                     reference->median,
                     yours->of_roofline.value_or(0),
                     {},
                     kernel_hash});
  }
  return times;
}

std::vector<NewBest> keep_best(ProgressStore& store, std::string_view directory,
                               const Timing& timing, const std::string& kernel_hash) {
  std::vector<NewBest> better;
  const std::vector<BestTime> times = candidates(timing, kernel_hash);
  if (times.empty()) return better;
  store.update([&](Progress& progress) {
    better.clear();
    const std::vector<BestTime> known = progress.best_times(directory);
    for (const BestTime& each : times) {
      const auto before = std::ranges::find_if(known, [&](const BestTime& other) {
        return other.device == each.device && other.shape == each.shape;
      });
      if (before != known.end() && before->seconds <= each.seconds) continue;
      progress.set_best_time(directory, each);
      better.push_back({each, before == known.end() ? 0 : before->seconds});
    }
  });
  return better;
}

}  // namespace grade
