// Why the backward needs Z: GELU takes one value at two places, with two slopes.
#include <fmt/core.h>

#include <cmath>

#include "plot.h"

namespace figures {
namespace {

const double kRoot = std::sqrt(2 / std::acos(-1.0));

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(kRoot * (x + 0.044715 * x * x * x)));
}

double slope(double x) {
  const double t = std::tanh(kRoot * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRoot * (1 + 3 * 0.044715 * x * x);
}

// Where GELU takes `value` on its falling side, by halving the interval.
double falling(double value) {
  double left = -3, right = -0.7525;
  for (int i = 0; i < 60; ++i) {
    const double middle = (left + right) / 2;
    (gelu(middle) > value ? left : right) = middle;
  }
  return left;
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 360, "One value, two slopes",
          "GELU between -2.5 and 1. A level line at -0.1543 cuts the curve twice, at -1.051 where "
          "it falls with slope -0.094, and at -0.5 where it rises with slope 0.133.");
  Plot plot(svg, 40, 30, 640, 270, {-2.5, 1}, {-0.25, 0.35});
  plot.axes({-2, -1.5, -1, -0.5, 0.5, 1}, {-0.2, -0.1, 0.1, 0.2, 0.3});
  plot.curve(gelu, {-2.5, 0.52}, 120, Tone::blue);
  const double right = -0.5, value = gelu(right), left = falling(value);
  svg.line(plot.at_x(-2.5), plot.at_y(value), plot.at_x(0), plot.at_y(value), Tone::accent);
  for (const double x : {left, right}) {
    const double reach = 0.32, rise = slope(x) * reach;
    svg.line(plot.at_x(x - reach), plot.at_y(value - rise), plot.at_x(x + reach),
             plot.at_y(value + rise), Tone::orange);
    plot.point(x, value, Tone::accent);
  }
  svg.text(plot.at_x(left), plot.at_y(value) + 44, fmt::format("z = {:.4f}", left), Tone::orange,
           Anchor::middle, 13);
  svg.text(plot.at_x(left), plot.at_y(value) + 60, fmt::format("slope {:.3f}", slope(left)),
           Tone::orange, Anchor::middle, 13);
  svg.text(plot.at_x(right) + 6, plot.at_y(value) + 44, fmt::format("z = {:.1f}", right),
           Tone::orange, Anchor::middle, 13);
  svg.text(plot.at_x(right) + 6, plot.at_y(value) + 60, fmt::format("slope {:.3f}", slope(right)),
           Tone::orange, Anchor::middle, 13);
  svg.text(plot.at_x(-2.5), plot.at_y(value) - 8, fmt::format("a = {:.4f}", value), Tone::accent,
           Anchor::start, 13);
  svg.text(40, 346, "The same a twice: which slope it was, only z knows.", Tone::accent);
  return svg;
}

const Figure figure("lessons/031_expert_activation/one-value-two-slopes.svg", draw);

}  // namespace
}  // namespace figures
