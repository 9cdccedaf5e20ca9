// X reaches the output by the router and by the experts; its gradient comes back by both.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&router = batch.array("dX_router"), &both = batch.array("dX");
  Svg svg(720, 300, "Two paths into X",
          "X feeds the router and the gather; both lead to the output. Backward, a gradient comes "
          "back along each path, and the two are added.");
  const double width = 92, height = 36;
  const auto node = [&](double x, double y, const char* name, Tone tone) {
    svg.box(x, y, width, height, tone);
    svg.text(x + width / 2, y + 23, name, Tone::ink, Anchor::middle);
  };
  const double upper = 54, lower = 134, middle = 94;
  node(20, middle, "X", Tone::green);
  node(170, upper, "logits", Tone::blue);
  node(320, upper, "gates", Tone::blue);
  node(170, lower, "Xs", Tone::orange);
  node(320, lower, "Ys", Tone::orange);
  node(470, middle, "out", Tone::green);
  node(610, middle, "loss", Tone::violet);
  svg.text(216, 42, "by the router", Tone::soft, Anchor::middle, 12);
  svg.text(216, 190, "by the experts", Tone::soft, Anchor::middle, 12);

  svg.arrow(112, middle + 8, 168, upper + 14);
  svg.arrow(262, upper + 12, 318, upper + 12);
  svg.arrow(412, upper + 14, 468, middle + 8);
  svg.arrow(112, middle + 22, 168, lower + 10);
  svg.arrow(262, lower + 12, 318, lower + 12);
  svg.arrow(412, lower + 10, 468, middle + 22);
  svg.arrow(562, middle + 12, 608, middle + 12);
  // And back.
  svg.arrow(608, middle + 26, 562, middle + 26, Tone::accent);
  svg.arrow(468, middle + 16, 412, upper + 26, Tone::accent);
  svg.arrow(318, upper + 26, 262, upper + 26, Tone::accent);
  svg.arrow(168, upper + 26, 112, middle + 15, Tone::accent);
  svg.arrow(468, middle + 31, 412, lower + 24, Tone::accent);
  svg.arrow(318, lower + 26, 262, lower + 26, Tone::accent);
  svg.arrow(168, lower + 24, 112, middle + 31, Tone::accent);

  const auto row = [](double a, double b) { return fmt::format("[{:6.3f}, {:6.3f}]", a, b); };
  svg.text(20, 224, "Token 0, backward:", Tone::soft);
  svg.code(180, 224, row(router[0], router[1]) + "  by the router", Tone::ink);
  svg.code(180, 246,
           row(both[0] - router[0], both[1] - router[1]) + "  by the experts, slots 3 and 0",
           Tone::ink);
  svg.code(180, 268, row(both[0], both[1]) + "  dX[0], the sum", Tone::accent);
  svg.text(20, 292, "The auxiliary loss joins at the probabilities, between logits and gates.",
           Tone::soft, Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/050_moe_backward/two-paths.svg", draw);

}  // namespace
}  // namespace figures
