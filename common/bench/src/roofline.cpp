#include "bench/roofline.h"

#include <algorithm>

namespace bench {

namespace {

double at_rate(double amount, double rate) {
  return rate > 0 ? amount / rate : 0;
}

}  // namespace

double least_time(const Work& work, const Ceilings& ceilings) {
  double flops = ceilings.flops_per_second;
  if (work.product) flops = std::max(flops, ceilings.product_flops_per_second);
  const double copied = std::min(work.read, work.written);
  const double memory = at_rate(2 * copied, ceilings.copy_bytes_per_second) +
                        at_rate(work.read - copied, ceilings.read_bytes_per_second) +
                        at_rate(work.written - copied, ceilings.fill_bytes_per_second);
  return std::max(memory, at_rate(work.flops, flops));
}

bool too_fast(double least_seconds, double seconds) {
  constexpr double kSpread = 1.05;
  return least_seconds > kSpread * seconds;
}

}  // namespace bench
