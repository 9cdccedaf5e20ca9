// GELU beside ReLU: the gate that each multiplies x with, and the product.
#include <fmt/core.h>

#include <cmath>

#include "plot.h"

namespace figures {
namespace {

double gate(double x) {
  return 0.5 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 330, "GELU is x times a smooth gate",
          "Left: the gate of GELU rises smoothly from 0 to 1 while the gate of ReLU jumps at 0. "
          "Right: GELU follows ReLU far out and dips to -0.170 at -0.752.");
  svg.heading(20, 26, "The gate");
  Plot left(svg, 30, 56, 300, 200, {-3, 3}, {-0.1, 1.1});
  left.axes({-3, -2, -1, 1, 2, 3}, {0.5, 1});
  left.curve([](double) { return 0.0; }, {-3, 0}, 1, Tone::blue);
  left.curve([](double) { return 1.0; }, {0, 3}, 1, Tone::blue);
  left.curve(gate, {-3, 3}, 48, Tone::accent);
  left.point(0, 0.5, Tone::accent);
  svg.text(left.at_x(1.1), left.at_y(0.62), "GELU: smooth", Tone::accent);
  svg.text(left.at_x(-2.9), left.at_y(0.2), "ReLU: a jump", Tone::blue);

  svg.heading(384, 26, "x times the gate");
  Plot right(svg, 394, 56, 300, 200, {-3, 2}, {-0.6, 2});
  right.axes({-3, -2, 1, 2}, {1, 2});
  right.curve([](double) { return 0.0; }, {-3, 0}, 1, Tone::blue);
  right.curve([](double x) { return x; }, {0, 2}, 1, Tone::blue);
  right.curve([](double x) { return x * gate(x); }, {-3, 2}, 60, Tone::accent);
  const double lowest = -0.752461;
  right.point(lowest, lowest * gate(lowest), Tone::accent);
  svg.text(right.at_x(-2.7), right.at_y(-0.42),
           fmt::format("lowest: {:.3f} at {:.3f}", lowest * gate(lowest), lowest), Tone::accent,
           Anchor::start, 13);
  svg.text(20, 292,
           "At x = 0 the gate is a half. Far out both functions agree: 0 on the left, x "
           "on the right.");
  svg.text(20, 316, "In between GELU lets small negative numbers through.", Tone::soft);
  return svg;
}

const Figure figure("lessons/010_gelu_forward/gelu.svg", draw);

}  // namespace
}  // namespace figures
