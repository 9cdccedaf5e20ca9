// The slopes of ReLU and GELU, with the landmarks of the notes.
#include <fmt/core.h>

#include <cmath>

#include "plot.h"

namespace figures {
namespace {

const double kRoot = std::sqrt(2 / std::acos(-1.0));

double tanh_u(double x) {
  return std::tanh(kRoot * (x + 0.044715 * x * x * x));
}
double gate(double x) {
  return 0.5 * (1 + tanh_u(x));
}
double through_gate(double x) {
  const double t = tanh_u(x);
  return 0.5 * x * (1 - t * t) * kRoot * (1 + 3 * 0.044715 * x * x);
}
double slope(double x) {
  return gate(x) + through_gate(x);
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 350, "The slope of GELU, and its two parts",
          "The slope of GELU runs from 0 through -0.129 at -1.419, 0 at -0.752, one half at 0 and "
          "1.129 at 1.419 to 1. It is the sum of the gate and a wave that is below 0 on the left "
          "and above 0 on the right.");
  svg.heading(20, 26, "Slope = gate + x times the slope of the gate");
  Plot plot(svg, 40, 48, 640, 232, {-4, 4}, {-0.4, 1.25});
  plot.axes({-4, -3, 1, 2, 3, 4}, {0.5, 1});
  plot.curve(gate, {-4, 4}, 48, Tone::green);
  plot.curve(through_gate, {-4, 4}, 64, Tone::orange);
  plot.curve(slope, {-4, 4}, 64, Tone::accent);
  const double turn = 1.418504, zero = -0.752461;
  for (const double x : {-turn, zero, 0.0, turn}) plot.point(x, slope(x), Tone::accent);
  svg.text(plot.at_x(turn), plot.at_y(1.16) - 4, fmt::format("{:.3f} at {:.3f}", slope(turn), turn),
           Tone::accent, Anchor::middle, 13);
  svg.text(plot.at_x(-turn) - 14, plot.at_y(-0.2) + 26,
           fmt::format("{:.3f} at {:.3f}", slope(-turn), -turn), Tone::accent, Anchor::end, 13);
  svg.text(plot.at_x(zero) - 6, plot.at_y(0.27), fmt::format("0 at {:.3f}", zero), Tone::accent,
           Anchor::end, 13);
  svg.text(plot.at_x(2.2), plot.at_y(0.78), "the gate", Tone::green);
  svg.text(plot.at_x(1.6), plot.at_y(0.27), "x times the slope of the gate", Tone::orange);
  svg.text(20, 334, "Right of 0 the slope is above the gate; left of -0.752 GELU falls.",
           Tone::soft);
  return svg;
}

const Figure figure("lessons/011_gelu_backward/slopes.svg", draw);

}  // namespace
}  // namespace figures
