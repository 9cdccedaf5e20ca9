// What bounds a kernel: the slope of the memory below the ridge, the peak of the arithmetic above.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "figure.h"

namespace figures {
namespace {

// A made-up machine with round numbers: 4 TB/s and 64 Tflop/s.
constexpr double kBandwidth = 4, kPeak = 64;

constexpr double kLeft = 96, kRight = 690, kTop = 40, kBottom = 290;

// Both axes count doublings: 1/16 to 256 flops a byte, 1/8 to 128 Tflop/s.
double x_of(double intensity) {
  return kLeft + (kRight - kLeft) * (std::log2(intensity) + 4) / 12;
}
double y_of(double rate) {
  return kBottom - (kBottom - kTop) * (std::log2(rate) + 3) / 10;
}

std::string fraction(double v) {
  return v >= 1 ? print(v) : fmt::format("1/{}", print(1 / v));
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 372, "A roofline",
          "Attainable rate against flops per byte, both in doublings. A slope of 4 TB/s rises to a "
          "flat roof of 64 Tflop/s at 16 flops a byte. The backward ReLU, at a twelfth of a flop a "
          "byte, lies far down the slope; a large tiled product lies under the flat part.");
  svg.line(kLeft, kBottom, kRight, kBottom);
  svg.line(kLeft, kTop, kLeft, kBottom);
  for (const double i : {1 / 16., 1 / 4., 1., 4., 16., 64., 256.}) {
    svg.line(x_of(i), kBottom, x_of(i), kBottom + 5);
    svg.text(x_of(i), kBottom + 22, fraction(i), Tone::soft, Anchor::middle, 12);
  }
  for (const double r : {1 / 8., 1., 8., 64.}) {
    svg.line(kLeft - 5, y_of(r), kLeft, y_of(r));
    svg.text(kLeft - 10, y_of(r) + 4, fraction(r), Tone::soft, Anchor::end, 12);
  }
  svg.text(kRight, kBottom + 44, "flops a byte", Tone::soft, Anchor::end, 13);
  svg.text(20, 24, "Tflop/s", Tone::soft, Anchor::start, 13);

  const double ridge = kPeak / kBandwidth, least = 1 / 16.;
  svg.line(x_of(least), y_of(least * kBandwidth), x_of(ridge), y_of(kPeak), Tone::blue);
  svg.line(x_of(ridge), y_of(kPeak), x_of(256), y_of(kPeak), Tone::orange);
  svg.text(x_of(1.2), y_of(9), "4 TB/s", Tone::blue, Anchor::end);
  svg.text(x_of(128), y_of(kPeak) - 10, "64 Tflop/s", Tone::orange, Anchor::middle);
  svg.line(x_of(ridge), y_of(kPeak), x_of(ridge), kBottom, Tone::idle);
  svg.text(x_of(ridge) + 8, kBottom - 10, "ridge: 16", Tone::soft, Anchor::start, 13);

  const double relu = 1 / 12.;
  svg.mark(x_of(relu) - 5, y_of(relu * kBandwidth) - 5, 10, 10, Tone::accent, 5);
  svg.text(x_of(relu) + 14, y_of(relu * kBandwidth) + 6, "ReLU backward: 1/12, at most 1/3 Tflop/s",
           Tone::accent);
  svg.mark(x_of(64) - 5, y_of(kPeak) - 5, 10, 10, Tone::green, 5);
  svg.text(x_of(64), y_of(kPeak) + 22, "a product that reuses", Tone::green, Anchor::middle, 13);
  svg.text(x_of(64), y_of(kPeak) + 38, "what it has loaded", Tone::green, Anchor::middle, 13);
  svg.text(kLeft, 360, "Left of the ridge only bytes count; right of it only arithmetic does.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/009_relu_backward/roofline.svg", draw);

}  // namespace
}  // namespace figures
