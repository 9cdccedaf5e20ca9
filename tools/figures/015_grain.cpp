// One row of two values, given to a thread, to a warp, to a block.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr int kLanes = 32, kWarps = 8;

Svg draw(const MicroBatch& batch) {
  const std::size_t k = batch.size("015_normalize_gates", "k");
  Svg svg(
      720, 330, "A thread, a warp or a block for a row of two values",
      "A row of two values. Given to a thread, one thread works and none idles. Given to a warp, "
      "2 of 32 lanes have a value. Given to a block, 2 of 256 threads have one.");
  const double left = 168, cell = 15, mark = 11;
  const auto lanes = [&](double y, int count, std::size_t busy) {
    for (int lane = 0; lane < count; ++lane) {
      const double x = left + cell * lane;
      if (static_cast<std::size_t>(lane) < busy) {
        svg.mark(x, y, mark, mark, Tone::blue);
      } else {
        svg.ghost(x, y, mark, mark, 1);
      }
    }
  };
  svg.heading(20, 30, "a thread a row");
  lanes(20, 1, 1);
  svg.text(left + 28, 31,
           fmt::format("works alone: {} values, one after the other, no idle lane", k));

  svg.heading(20, 92, "a warp a row");
  lanes(82, kLanes, k);
  svg.text(left, 118,
           fmt::format("{} lanes have a value, {} are idle; 5 steps of shuffles", k,
                       kLanes - static_cast<int>(k)),
           Tone::soft);

  svg.heading(20, 170, "a block a row");
  for (int warp = 0; warp < kWarps; ++warp) {
    lanes(160 + cell * warp, kLanes, warp == 0 ? k : 0);
  }
  svg.text(left, 300,
           fmt::format("{} threads have a value, {} are idle; 5 steps, a barrier, 3 more steps", k,
                       kLanes * kWarps - static_cast<int>(k)),
           Tone::soft);
  return svg;
}

const Figure figure("lessons/015_normalize_gates/grain.svg", draw);

}  // namespace
}  // namespace figures
