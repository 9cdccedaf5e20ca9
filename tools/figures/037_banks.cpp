// Shared memory by banks: a column of a tile with rows of 8 floats, and with rows of 9.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kBanks = 8;   // a small machine; a real one has 32
constexpr std::size_t kColumn = 2;  // the lanes read w[lane][2]

void draw_tile(Svg& svg, double left, std::size_t width) {
  const double top = 86, cell = 34;
  svg.heading(left, 30, fmt::format("rows of {} floats", width));
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    svg.text(left + cell * static_cast<double>(bank) + cell / 2 - 1, top - 10,
             fmt::format("{}", bank), Tone::soft, Anchor::middle, 12);
  }
  svg.text(left, top - 28, "bank", Tone::soft, Anchor::start, 12);
  for (std::size_t word = 0; word < kBanks * width; ++word) {
    const std::size_t row = word / width, column = word % width;
    const double x = left + cell * static_cast<double>(word % kBanks);
    const double y = top + 26 * static_cast<double>(word / kBanks);
    if (column >= kBanks) {
      svg.ghost(x, y, cell - 3, 22);
    } else if (column == kColumn) {
      svg.box(x, y, cell - 3, 22, Tone::accent);
      svg.text(x + cell / 2 - 1, y + 16, fmt::format("{}", row), Tone::ink, Anchor::middle, 12);
    } else {
      svg.box(x, y, cell - 3, 22, Tone::idle);
    }
  }
}

Svg draw(const MicroBatch&) {
  Svg svg(
      720, 372, "A column of a tile, and the banks that hold it",
      "Words of shared memory in rows of 8 banks. With rows of 8 floats column 2 lies in bank 2 "
      "alone, 8 words deep. With rows of 9 floats its 8 words lie in 8 different banks.");
  draw_tile(svg, 40, kBanks);
  draw_tile(svg, 400, kBanks + 1);
  svg.text(40, 322, "8 words in one bank: 8 passes", Tone::accent);
  svg.text(400, 346, "8 words in 8 banks: 1 pass", Tone::accent);
  svg.text(40, 364, "The number in a cell is the lane that reads it; dashed: padding.", Tone::soft,
           Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/037_expert_hidden_grad/banks.svg", draw);

}  // namespace
}  // namespace figures
