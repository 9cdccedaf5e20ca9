// Binary search for the expert of row 3 among the micro-batch's offsets, step by step.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr double kLeft = 210, kCell = 84, kStep = 66, kTop = 62;

double middle_of(std::size_t index) {
  return kLeft + kCell * static_cast<double>(index) + 34;
}

// The offsets once more, with what is outside of low and high greyed.
void draw_step(Svg& svg, const std::vector<double>& offsets, double y, std::size_t low,
               std::size_t high) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const double x = kLeft + kCell * static_cast<double>(i);
    if (i < low || i > high) {
      svg.ghost(x, y, 68, 30);
      svg.code(x + 34, y + 20, print(offsets[i]), Tone::soft, Anchor::middle);
      continue;
    }
    svg.box(x, y, 68, 30, i == low || i == high ? Tone::blue : Tone::soft);
    svg.code(x + 34, y + 20, print(offsets[i]), Tone::ink, Anchor::middle);
  }
  svg.text(middle_of(low), y + 46, "low", Tone::blue, Anchor::middle, 12);
  svg.text(middle_of(high), y + 46, "high", Tone::blue, Anchor::middle, 12);
}

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& offsets = batch.array("offsets");
  const std::size_t row = 3;

  Svg svg(
      720, 312, "Whose is row 3?",
      "Offsets 0, 3, 3, 5, 6. Low starts at index 0 and high at index 4; two looks at the middle "
      "leave low at 2 and high at 3: row 3 is expert 2's.");
  svg.text(20, 30, "index", Tone::soft);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    svg.text(middle_of(i), 30, fmt::format("{}", i), Tone::soft, Anchor::middle);
  }
  std::size_t low = 0, high = offsets.size() - 1;
  double y = kTop;
  svg.text(20, y + 20, "offsets, at the start");
  draw_step(svg, offsets, y, low, high);
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const bool begins = offsets[middle] <= static_cast<double>(row);
    y += kStep;
    svg.text(20, y + 14,
             fmt::format("middle {}: {} {} {}", middle, print(offsets[middle]),
                         begins ? "\u2264" : ">", row));
    svg.text(20, y + 32, begins ? "low goes there" : "high goes there", Tone::soft, Anchor::start,
             12);
    (begins ? low : high) = middle;
    draw_step(svg, offsets, y, low, high);
  }
  svg.text(
      20, 296,
      fmt::format("offsets[{}] \u2264 {} < offsets[{}]: row {} is expert {}'s, although expert "
                  "1 begins at 3 as well.",
                  low, row, high, row, low),
      Tone::accent);
  return svg;
}

const Figure figure("lessons/030_expert_up_bias/search.svg", draw);

}  // namespace
}  // namespace figures
