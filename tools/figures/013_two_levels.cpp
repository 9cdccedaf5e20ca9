// Eight numbers summed by two warps of four lanes: shuffles inside a warp, one barrier, a short
// sum.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kLanes = 4, kWarps = 2;

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& logits = batch.array("logits");
  std::vector<double> value(kLanes * kWarps);
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = std::round(4 * std::exp(logits[i]));

  Svg svg(
      720, 370, "A reduction on two levels",
      "Two warps of four lanes. In two steps each lane takes in the value of the lane two, then "
      "one further; lane 0 has its warp's sum and stores it in shared memory. After the only "
      "barrier every thread adds up the two sums.");
  const double cell = 62, left = 140, gap = 28, high = 32, pitch = 66;
  const auto x_of = [&](std::size_t i) {
    return left + cell * static_cast<double>(i) + gap * static_cast<double>(i / kLanes);
  };
  const auto middle = [&](std::size_t i) { return x_of(i) + (cell - 10) / 2; };
  for (std::size_t w = 0; w < kWarps; ++w)
    svg.heading(x_of(w * kLanes), 20, fmt::format("warp {}", w));
  for (std::size_t i = 0; i < value.size(); ++i)
    svg.code(middle(i), 40, fmt::format("lane {}", i % kLanes), Tone::soft, Anchor::middle, 12);

  std::size_t alive = kLanes;
  double y = 50;
  for (std::size_t step = kLanes / 2;; step /= 2) {
    svg.heading(20, y + 21, alive == kLanes ? "registers" : fmt::format("{} further", alive));
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool counts = i % kLanes < alive;
      if (counts)
        svg.box(x_of(i), y, cell - 10, high, alive == kLanes ? Tone::soft : tone_of(i / kLanes));
      else
        svg.ghost(x_of(i), y, cell - 10, high);
      if (counts) svg.code(middle(i), y + 21, print(value[i]), Tone::ink, Anchor::middle);
    }
    if (step == 0) break;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i % kLanes >= step) continue;
      svg.arrow(middle(i), y + high + 2, middle(i), y + pitch - 2, Tone::soft);
      svg.arrow(middle(i + step), y + high + 2, middle(i) + 9, y + pitch - 2, tone_of(i / kLanes));
      value[i] += value[i + step];
    }
    alive = step;
    y += pitch;
  }

  const double shared = y + pitch;
  svg.heading(20, shared + 21, "warp_sums");
  double total = 0;
  for (std::size_t w = 0; w < kWarps; ++w) {
    const std::size_t i = w * kLanes;
    svg.arrow(middle(i), y + high + 2, middle(i), shared - 2, tone_of(w));
    svg.box(x_of(i), shared, cell - 10, high, tone_of(w));
    svg.code(middle(i), shared + 21, print(value[i]), Tone::ink, Anchor::middle);
    total += value[i];
  }
  svg.text(x_of(kLanes) + cell, shared + 21, "shared memory, a place a warp", Tone::soft);
  svg.line(20, shared + high + 10, 700, shared + high + 10, Tone::accent);
  svg.text(20, shared + high + 30, "The only barrier.", Tone::accent);
  svg.code(left, shared + high + 30,
           fmt::format("every thread: {} + {} = {}", print(value[0]), print(value[kLanes]),
                       print(total)));
  svg.text(20, shared + high + 58,
           "Dashed: lanes whose value no longer counts. They take part all the same.", Tone::idle);
  return svg;
}

const Figure figure("lessons/013_softmax_rows_backward/two-levels.svg", draw);

}  // namespace
}  // namespace figures
