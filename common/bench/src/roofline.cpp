#include "bench/roofline.h"

#include <algorithm>

namespace bench {

double least_time(const Work& work, const Ceilings& ceilings) {
  double flops = ceilings.flops_per_second;
  if (work.product) flops = std::max(flops, ceilings.product_flops_per_second);
  const double memory = ceilings.bytes_per_second > 0 ? work.bytes / ceilings.bytes_per_second : 0;
  const double arithmetic = flops > 0 ? work.flops / flops : 0;
  return std::max(memory, arithmetic);
}

bool too_fast(double least_seconds, double seconds) {
  constexpr double kSpread = 1.05;
  return least_seconds > kSpread * seconds;
}

}  // namespace bench
