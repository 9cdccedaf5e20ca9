// Five picks from a row with ties and -inf: each the first that comes strictly after the last.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "figure.h"

namespace figures {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string name(double value) {
  return std::isinf(value) ? (value < 0 ? "\u2212inf" : "inf") : print(value);
}

Svg draw(const MicroBatch&) {
  const std::vector<double> row = {2, 5, 5, -kInfinity, 5};  // the row that the notes follow
  std::vector<std::size_t> order(row.size());
  for (std::size_t c = 0; c < row.size(); ++c) order[c] = c;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });

  Svg svg(720, 300, "Five picks from a row with ties",
          "The row 2, 5, 5, minus infinity, 5. Each pick is the first, in the lesson's order, that "
          "comes strictly after the last pick: columns 1, 2, 4, 0, 3.");
  const double left = 96, top = 60, cell = 62, height = 42;
  svg.heading(20, 26, "Each pick: the first that comes strictly after the last");
  for (std::size_t c = 0; c < row.size(); ++c) {
    svg.code(left + cell * (static_cast<double>(c) + 0.5) - 3, 50, fmt::format("col {}", c),
             Tone::soft, Anchor::middle, 12);
  }
  svg.text(430, 50, "last", Tone::soft);
  svg.text(574, 50, "pick", Tone::accent);
  for (std::size_t pick = 0; pick < row.size(); ++pick) {
    const double y = top + height * static_cast<double>(pick);
    svg.text(20, y + 23, fmt::format("pick {}", pick));
    for (std::size_t rank = 0; rank < row.size(); ++rank) {
      const std::size_t c = order[rank];
      const double x = left + cell * static_cast<double>(c);
      const Tone tone = rank < pick ? Tone::idle : rank == pick ? Tone::accent : Tone::blue;
      if (rank < pick) {
        svg.ghost(x, y, cell - 6, height - 8);
      } else {
        svg.box(x, y, cell - 6, height - 8, tone);
      }
      if (rank == pick) svg.ring(x - 2, y - 2, cell - 2, height - 4, Tone::accent);
      svg.code(x + cell / 2 - 3, y + 22, name(row[c]), rank < pick ? Tone::idle : Tone::ink,
               Anchor::middle);
    }
    const std::string last =
        pick == 0 ? "(inf, \u22121)"
                  : fmt::format("({}, {})", name(row[order[pick - 1]]), order[pick - 1]);
    svg.code(430, y + 22, last, Tone::soft);
    svg.arrow(528, y + 17, 562, y + 17, Tone::accent);
    svg.code(574, y + 22, fmt::format("({}, {})", name(row[order[pick]]), order[pick]),
             Tone::accent);
  }
  svg.text(20, 288, "Dashed: not strictly after the last pick, so out of the search.", Tone::soft);
  return svg;
}

const Figure figure("lessons/014_topk_rows/picks.svg", draw);

}  // namespace
}  // namespace figures
