// Blocks of 4 x 2 threads over five rows of six columns.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kWide = 4, kTall = 2, kRows = 5, kCols = 6;

Svg draw(const MicroBatch&) {
  Svg svg(720, 380, "Rows and columns under two-dimensional blocks",
          "Blocks of four by two threads over five rows of six columns: each row of threads takes "
          "one row and walks along it; the last block has one row too many.");
  const double cell = 56, height = 40, left = 190, top = 84, gap = 18;
  const std::size_t steps = (kCols + kWide - 1) / kWide, blocks = (kRows + kTall - 1) / kTall;
  const auto x_of = [&](std::size_t c) {
    return left + cell * static_cast<double>(c) + gap * static_cast<double>(c / kWide);
  };
  for (std::size_t s = 0; s < steps; ++s) {
    svg.heading(x_of(s * kWide), 26, fmt::format("step {}", s));
    for (std::size_t x = 0; x < kWide; ++x) {
      const std::size_t c = s * kWide + x;
      svg.code(x_of(c) + 25, 50, fmt::format("x = {}", x), c < kCols ? Tone::soft : Tone::idle,
               Anchor::middle, 12);
      if (c < kCols)
        svg.text(x_of(c) + 25, 72, fmt::format("col {}", c), Tone::ink, Anchor::middle, 13);
    }
  }
  for (std::size_t r = 0; r < blocks * kTall; ++r) {
    const std::size_t block = r / kTall;
    const double y = top + height * static_cast<double>(r) + 8 * static_cast<double>(block);
    if (r % kTall == 0) svg.heading(20, y + 24, fmt::format("block {}", block));
    const bool exists = r < kRows;
    svg.code(96, y + 24, fmt::format("y = {}", r % kTall), exists ? Tone::soft : Tone::idle,
             Anchor::start, 12);
    svg.text(180, y + 24, exists ? fmt::format("row {}", r) : "no row",
             exists ? Tone::ink : Tone::idle, Anchor::end, 13);
    if (!exists) {
      svg.ghost(x_of(0), y, x_of(steps * kWide - 1) + cell - 6 - x_of(0), height - 4);
      svg.text(x_of(0) + 12, y + 23, "these threads return", Tone::idle);
      continue;
    }
    for (std::size_t c = 0; c < steps * kWide; ++c) {
      if (c < kCols)
        svg.box(x_of(c), y, cell - 6, height - 4, tone_of(block));
      else
        svg.ghost(x_of(c), y, cell - 6, height - 4);
    }
  }
  const double walk = top + height + 18;
  svg.arrow(x_of(1) + 25, walk, x_of(5) + 25, walk, Tone::accent);
  svg.text(20, 364, "The thread with x = 1, y = 1 of block 0 has row 1, and columns 1 and 5.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/004_bias_add/rows-and-columns.svg", draw);

}  // namespace
}  // namespace figures
