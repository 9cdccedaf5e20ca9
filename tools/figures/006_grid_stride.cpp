// Four threads of two blocks walk over ten elements, a grid's width a step.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kBlocks = 2, kThreads = 2, kElements = 10;

Svg draw(const MicroBatch&) {
  Svg svg(720, 300, "A grid-stride loop",
          "Ten elements in a row under four threads: in round 0 the threads take elements 0 to 3, "
          "in round 1 elements 4 to 7, in round 2 only 8 and 9 are left.");
  const std::size_t stride = kBlocks * kThreads;
  const std::size_t rounds = (kElements + stride - 1) / stride;
  const double cell = 46, left = 20, gap = 18, top = 108;
  const auto x_of = [&](std::size_t i) {
    return left + cell * static_cast<double>(i) + gap * static_cast<double>(i / stride);
  };
  for (std::size_t s = 0; s < rounds; ++s)
    svg.heading(x_of(s * stride), 30, fmt::format("round {}", s));
  for (std::size_t i = 0; i < rounds * stride; ++i) {
    const std::size_t index = i % stride, block = index / kThreads;
    const bool exists = i < kElements;
    svg.code(x_of(i) + 20, 62, fmt::format("b {}", block), exists ? Tone::soft : Tone::idle,
             Anchor::middle, 12);
    svg.code(x_of(i) + 20, 82, fmt::format("t {}", index % kThreads),
             exists ? Tone::soft : Tone::idle, Anchor::middle, 12);
    if (exists) {
      svg.box(x_of(i), top, cell - 6, 44, tone_of(index));
      svg.code(x_of(i) + 20, top + 28, fmt::format("{}", i), Tone::ink, Anchor::middle);
    } else {
      svg.ghost(x_of(i), top, cell - 6, 44);
      svg.code(x_of(i) + 20, top + 28, fmt::format("{}", i), Tone::idle, Anchor::middle);
    }
  }
  const std::size_t followed = 1;
  const double y = top + 64;
  for (std::size_t i = followed; i + stride < kElements; i += stride) {
    svg.arrow(x_of(i) + 20, y, x_of(i + stride) + 20, y, Tone::accent);
    svg.code((x_of(i) + x_of(i + stride)) / 2 + 20, y + 20, fmt::format("+ {}", stride),
             Tone::accent, Anchor::middle, 13);
  }
  svg.text(20, 240,
           fmt::format("{} blocks of {} threads: a stride of {}. Thread {} of block 0 takes "
                       "elements 1, 5 and 9.",
                       kBlocks, kThreads, stride, followed));
  svg.text(20, 268, "10 and 11 are not below 10: these two threads are done after two rounds.",
           Tone::soft);
  return svg;
}

const Figure figure("lessons/006_elementwise_add/grid-stride.svg", draw);

}  // namespace
}  // namespace figures
