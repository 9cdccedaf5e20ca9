// One output a thread beside 4 x 4: what a thread loads for a row, and what it computes with it.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr double kCell = 30;

// A thread's weights, `side` along each side, with the loads that one row costs.
void tile(Svg& svg, double left, std::size_t side) {
  const double top = 120;
  for (std::size_t i = 0; i < side; ++i) {
    const double at = kCell * static_cast<double>(i);
    svg.box(left, top + at, kCell, kCell, Tone::blue);
    svg.box(left + 50 + at, top - 50, kCell, kCell, Tone::orange);
    for (std::size_t j = 0; j < side; ++j)
      svg.box(left + 50 + kCell * static_cast<double>(j), top + at, kCell, kCell, Tone::soft, 1);
  }
  svg.text(left + kCell / 2, top - 12, "A", Tone::blue, Anchor::middle, 13);
  svg.text(left + 42, top - 30, "dYs", Tone::orange, Anchor::end, 13);
  const std::size_t loads = 2 * side;
  const std::size_t products = side * side;
  svg.text(left, 276,
           fmt::format("{} loads, {} multiply-add{}", loads, products, products == 1 ? "" : "s"));
  svg.text(left, 298,
           fmt::format("{} bytes a multiply-add",
                       print(4.0 * static_cast<double>(loads) / static_cast<double>(products))),
           Tone::accent);
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 320, "A register tile",
          "For one row of A and dYs: a thread with one weight loads two numbers for one "
          "multiply-add. A thread with four by four weights loads eight for sixteen.");
  svg.heading(20, 30, "one weight a thread");
  tile(svg, 20, 1);
  svg.line(250, 20, 250, 300);
  svg.heading(280, 30, "4 x 4 weights a thread");
  tile(svg, 280, 4);
  svg.text(496, 120, "one number of A serves", Tone::soft, Anchor::start, 13);
  svg.text(496, 138, "a row of 4 sums, one of dYs", Tone::soft, Anchor::start, 13);
  svg.text(496, 156, "a column of 4; all 16 sums", Tone::soft, Anchor::start, 13);
  svg.text(496, 174, "stay in registers", Tone::soft, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/036_expert_down_weight_grad/register-tile.svg", draw);

}  // namespace
}  // namespace figures
