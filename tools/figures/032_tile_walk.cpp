// Two steps of a 2 x 2 tile along the micro-batch's hidden width of 3: expert 0's rows 0 and 1.
#include <fmt/core.h>

#include <array>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kEdge = 2, kHidden = 3, kWidth = 2;
using Tile = std::array<std::array<double, kEdge>, kEdge>;

void draw_tile(Svg& svg, double x, double y, const Tile& tile, std::size_t rows, std::size_t cols,
               Tone tone) {
  for (std::size_t r = 0; r < kEdge; ++r) {
    for (std::size_t c = 0; c < kEdge; ++c) {
      const double left = x + 58 * static_cast<double>(c), top = y + 40 * static_cast<double>(r);
      const bool real = r < rows && c < cols;
      if (real) {
        svg.box(left, top, 52, 34, tone);
      } else {
        svg.ghost(left, top, 52, 34);
      }
      svg.code(left + 26, top + 22, print(tile[r][c]), real ? Tone::ink : Tone::soft,
               Anchor::middle);
    }
  }
}

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&A = batch.array("A"), &W2 = batch.array("W2");
  Svg svg(720, 306, "A tile walks along H",
          "Rows 0 and 1 of expert 0 in two steps. In each, a tile of A and a tile of W2 are filled "
          "and multiplied; in the second step the places past H = 3 are filled with 0.");
  svg.heading(150, 28, "a: from A");
  svg.heading(330, 28, "w: from W2[0]");
  svg.heading(520, 28, "sum so far");
  Tile sum{};
  for (std::size_t step = 0; step < kHidden; step += kEdge) {
    const std::size_t inner = kHidden - step < kEdge ? kHidden - step : kEdge;
    Tile a{}, w{};
    for (std::size_t r = 0; r < kEdge; ++r) {
      for (std::size_t k = 0; k < inner; ++k) a[r][k] = A[r * kHidden + step + k];
    }
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t c = 0; c < kEdge; ++c) w[k][c] = W2[(step + k) * kWidth + c];
    }
    for (std::size_t r = 0; r < kEdge; ++r) {
      for (std::size_t k = 0; k < kEdge; ++k) {
        for (std::size_t c = 0; c < kEdge; ++c) sum[r][c] += a[r][k] * w[k][c];
      }
    }
    const double y = 48 + 116 * static_cast<double>(step / kEdge);
    svg.text(20, y + 32, fmt::format("step {}", step));
    svg.text(20, y + 52,
             inner == kEdge ? fmt::format("h = {}, {}", step, step + 1)
                            : fmt::format("h = {}, then 0", step),
             Tone::soft, Anchor::start, 12);
    draw_tile(svg, 150, y, a, kEdge, inner, Tone::blue);
    svg.text(288, y + 44, "\u00d7", Tone::ink, Anchor::middle);
    draw_tile(svg, 330, y, w, inner, kEdge, Tone::orange);
    svg.arrow(454, y + 38, 508, y + 38);
    draw_tile(svg, 520, y, sum, kEdge, kEdge, Tone::green);
    svg.line(20, y + 96, 650, y + 96);
  }
  svg.text(20, 288,
           "Each number is loaded once and used twice; with a 16 x 16 tile, sixteen times.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/032_expert_down/tile-walk.svg", draw);

}  // namespace
}  // namespace figures
