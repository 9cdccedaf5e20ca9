// Eight lanes in three steps of a butterfly: all of them end with the sum.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kLanes = 8;

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& logits = batch.array("logits");
  std::vector<double> value(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) value[i] = std::round(4 * std::exp(logits[i]));

  Svg svg(
      720, 360, "A butterfly of eight lanes",
      "Three steps. In the first, lanes whose numbers differ in the bit worth 4 exchange values "
      "and add; in the second those that differ in the bit worth 2, in the third those that "
      "differ in the bit worth 1. All eight lanes end with 30.");
  const double cell = 68, left = 140, high = 32, pitch = 78;
  const auto x_of = [&](std::size_t i) { return left + cell * static_cast<double>(i); };
  const auto middle = [&](std::size_t i) { return x_of(i) + (cell - 12) / 2; };
  for (std::size_t i = 0; i < kLanes; ++i) {
    svg.code(middle(i), 20, fmt::format("lane {}", i), Tone::soft, Anchor::middle, 12);
    svg.code(middle(i), 36, fmt::format("{:03b}", i), Tone::soft, Anchor::middle, 12);
  }
  double y = 46;
  const auto row = [&](const std::string& title, const std::string& below, std::size_t bit) {
    svg.heading(20, y + 21, title);
    if (!below.empty()) svg.code(20, y + 38, below, Tone::soft, Anchor::start, 12);
    for (std::size_t i = 0; i < kLanes; ++i) {
      // Lanes of one tone hold the same number.
      svg.box(x_of(i), y, cell - 12, high, bit == kLanes ? Tone::soft : tone_of(i % bit));
      svg.code(middle(i), y + 21, print(value[i]), Tone::ink, Anchor::middle);
    }
  };
  row("registers", "", kLanes);
  for (std::size_t bit = kLanes / 2; bit > 0; bit /= 2) {
    std::vector<double> next(kLanes);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t partner = i ^ bit;
      svg.line(middle(i), y + high + 2, middle(i), y + pitch - 2);
      svg.line(middle(partner), y + high + 2, middle(i), y + pitch - 2, tone_of(i % bit));
      next[i] = value[i] + value[partner];
    }
    value = next;
    y += pitch;
    row(fmt::format("xor {}", bit), fmt::format("{} lanes known", kLanes / bit), bit);
  }
  svg.text(20, y + high + 38,
           "Lanes of one colour hold the same number. No lane is idle, none is the owner.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/018_router_probs/butterfly.svg", draw);

}  // namespace
}  // namespace figures
