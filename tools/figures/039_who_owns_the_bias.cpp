// Expert 0's weights and biases: every thread of a column has the column's sum, one of them owns
// it.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kWidth = 3;   // H
constexpr std::size_t kInputs = 2;  // D

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& weights = batch.array("dW1");
  const std::vector<double>& biases = batch.array("db1");

  Svg svg(720, 300, "Two outputs from one read",
          "Six threads for the two by three weights of expert 0. The threads of a column have the "
          "same bias sum; the one with d = 0 adds it.");
  const double left = 150, width = 150, pitch = 180, height = 50;
  for (std::size_t h = 0; h < kWidth; ++h) {
    const double x = left + pitch * static_cast<double>(h);
    svg.text(x + width / 2, 34, fmt::format("h = {}", h), Tone::soft, Anchor::middle, 12);
    for (std::size_t d = 0; d < kInputs; ++d) {
      const double y = 46 + 66 * static_cast<double>(d);
      svg.box(x, y, width, height, d == 0 ? Tone::accent : Tone::blue);
      svg.text(x + width / 2, y + 21, fmt::format("weight {:.4f}", weights[d * kWidth + h]),
               Tone::ink, Anchor::middle, 13);
      svg.text(x + width / 2, y + 40, fmt::format("bias {:.4f}", biases[h]),
               d == 0 ? Tone::accent : Tone::soft, Anchor::middle, 13);
    }
    svg.box(x, 206, width + 16, 36, Tone::soft);
    svg.text(x + width / 2, 229, fmt::format("db1[0][{}] += {:.4f}", h, biases[h]), Tone::ink,
             Anchor::middle, 13);
    svg.arrow(x + width + 8, 71, x + width + 8, 203, Tone::accent);
    svg.line(x + width, 71, x + width + 8, 71, Tone::accent);
  }
  svg.text(20, 76, "threads, d = 0", Tone::accent);
  svg.text(20, 142, "threads, d = 1", Tone::blue);
  svg.text(20, 229, "biases");
  svg.text(20, 280, "Both threads of a column know the bias sum. One of them adds it.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/039_expert_up_grads/who-owns-the-bias.svg", draw);

}  // namespace
}  // namespace figures
