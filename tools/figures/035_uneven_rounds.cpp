// Expert 0's three rows under two rows of threads: a barrier in the loop, and one after it.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kRows = 2;  // threads that share a column

void lanes(Svg& svg, double left, std::size_t rows, bool inside) {
  const double width = 120, height = 34, pitch = 150;
  const std::size_t rounds = (rows + kRows - 1) / kRows;
  for (std::size_t y = 0; y < kRows; ++y) {
    const double x = left + pitch * static_cast<double>(y);
    svg.text(x + width / 2, 68, fmt::format("threads with y = {}", y), Tone::soft, Anchor::middle,
             12);
    double at = 80;
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::size_t row = round * kRows + y;
      const double below = at + height + 8;
      if (row < rows) {
        svg.box(x, at, width, height, tone_of(y));
        svg.text(x + width / 2, at + 22, fmt::format("add row {}", row), Tone::ink, Anchor::middle);
        if (inside) svg.mark(x, below, width, 8, Tone::accent);
      } else {
        svg.ghost(x, at, width, height);
        svg.text(x + width / 2, at + 22, inside ? "has left the loop" : "no row left", Tone::soft,
                 Anchor::middle, 12);
        if (inside) svg.ghost(x, below, width, 8, 1);
      }
      if (inside && y + 1 == kRows)
        svg.text(x + width + 8, below + 8, "barrier", Tone::accent, Anchor::start, 12);
      at += inside ? height + 28 : height + 10;
    }
    if (!inside) {
      svg.mark(x, at + 4, width, 8, Tone::accent);
      if (y + 1 == kRows)
        svg.text(x + width + 8, at + 12, "barrier", Tone::accent, Anchor::start, 12);
      at += 24;
    }
    if (y == 0) {
      svg.box(x, at, width, height, Tone::soft);
      svg.text(x + width / 2, at + 22, "add up, += once", Tone::ink, Anchor::middle, 13);
    }
  }
}

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& offsets = batch.array("offsets");
  const auto rows = static_cast<std::size_t>(offsets[1] - offsets[0]);

  Svg svg(720, 300, "A barrier inside a loop of uneven length",
          "Three rows for two rows of threads. With the barrier in the loop the threads with y = 0 "
          "come to it twice, those with y = 1 once. With one barrier after the loop, all come to "
          "it once.");
  svg.heading(20, 30, "barrier in the loop");
  lanes(svg, 20, rows, true);
  svg.text(20, 276, "The threads with y = 1 miss the second barrier.", Tone::accent, Anchor::start,
           13);
  svg.line(354, 20, 354, 280);
  svg.heading(390, 30, "one barrier after it");
  lanes(svg, 390, rows, false);
  svg.text(390, 276, "Uneven loops, one meeting.", Tone::accent, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/035_expert_down_bias_grad/uneven-rounds.svg", draw);

}  // namespace
}  // namespace figures
