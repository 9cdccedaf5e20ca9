// 600 elements under a grid that is rounded down, and under one that is rounded up.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kElements = 600, kThreads = 256;

Svg draw(const MicroBatch&) {
  Svg svg(720, 300, "A grid rounded down, and rounded up",
          "600 elements. Above: two blocks of 256 threads end at element 512, and 88 elements have "
          "no thread. Below: three blocks reach 768, and 168 threads are past the end.");
  const std::size_t down = kElements / kThreads, up = (kElements + kThreads - 1) / kThreads;
  const double left = 20, scale = 0.86;
  const auto x_of = [&](std::size_t i) { return left + scale * static_cast<double>(i); };
  const double end = x_of(kElements);

  const auto blocks = [&](std::size_t count, double y) {
    for (std::size_t b = 0; b < count; ++b) {
      svg.box(x_of(b * kThreads), y, scale * kThreads - 4, 40, tone_of(b));
      svg.text(x_of(b * kThreads) + 12, y + 26, fmt::format("block {}", b));
    }
  };
  svg.heading(left, 26, fmt::format("{} / {} = {} blocks", kElements, kThreads, down));
  blocks(down, 42);
  svg.ghost(x_of(down * kThreads), 42, end - x_of(down * kThreads), 40);
  svg.text(end + 10, 67, fmt::format("{} left out", kElements - down * kThreads), Tone::accent);

  svg.box(left, 118, end - left, 26, Tone::soft);
  svg.text((left + end) / 2, 136, fmt::format("{} elements", kElements), Tone::ink, Anchor::middle,
           13);
  for (std::size_t b = 0; b <= down; ++b)
    svg.code(x_of(b * kThreads), 162, fmt::format("{}", b * kThreads), Tone::soft, Anchor::start,
             12);
  svg.code(end, 162, fmt::format("{}", kElements), Tone::soft, Anchor::end, 12);

  svg.heading(left, 200, fmt::format("rounded up: {} blocks", up));
  blocks(up, 214);
  svg.mark(end, 214, x_of(up * kThreads) - 4 - end, 40, Tone::accent);
  svg.line(end, 30, end, 262, Tone::accent);
  svg.text(x_of(up * kThreads) - 4, 278,
           fmt::format("{} threads past the end: they need the guard", up * kThreads - kElements),
           Tone::accent, Anchor::end);
  return svg;
}

const Figure figure("lessons/007_elementwise_multiply/blocks-over-600.svg", draw);

}  // namespace
}  // namespace figures
