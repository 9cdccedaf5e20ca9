// The micro-batch's six squared errors: three blocks leave a partial sum each, a second launch adds
// these.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kThreads = 2;

std::string three_digits(double value) {
  return fmt::format("{:.3f}", value);
}

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& out = batch.array("out");
  const std::vector<double>& target = batch.array("target");
  const std::size_t n = out.size(), blocks = n / kThreads;

  Svg svg(720, 366, "A sum over the whole grid, in two launches",
          "Six squared errors under three blocks of two threads. Each block leaves a partial sum: "
          "3.778, 0.222, 0.800. A line marks the end of the first launch. In the second, one block "
          "adds the three, 4.800, and divides by 6: the loss is 0.800.");
  const double cell = 80, left = 130, gap = 24, high = 34;
  const auto x_of = [&](std::size_t i) {
    return left + cell * static_cast<double>(i) + gap * static_cast<double>(i / kThreads);
  };
  const auto middle_of_block = [&](std::size_t b) { return x_of(b * kThreads) + cell - 4; };

  double y = 48, total = 0;
  svg.heading(20, y - 24, "first launch");
  svg.text(20, y + 22, "squares");
  std::vector<double> sums(blocks);
  for (std::size_t i = 0; i < n; ++i) {
    const double error = out[i] - target[i];
    sums[i / kThreads] += error * error;
    total += error * error;
    svg.box(x_of(i), y, cell - 8, high, tone_of(i / kThreads));
    svg.code(x_of(i) + cell / 2 - 4, y + 22, three_digits(error * error), Tone::ink,
             Anchor::middle);
    svg.arrow(x_of(i) + cell / 2 - 4, y + high + 2,
              middle_of_block(i / kThreads) + (i % kThreads == 0 ? -12 : 12), y + 82,
              tone_of(i / kThreads));
  }
  for (std::size_t b = 0; b < blocks; ++b)
    svg.text(middle_of_block(b), y - 10, fmt::format("block {}", b), Tone::soft, Anchor::middle,
             12);

  y += 84;
  svg.text(20, y + 22, "partial sums");
  for (std::size_t b = 0; b < blocks; ++b) {
    svg.box(middle_of_block(b) - 36, y, 72, high, tone_of(b));
    svg.code(middle_of_block(b), y + 22, three_digits(sums[b]), Tone::ink, Anchor::middle);
    svg.arrow(middle_of_block(b), y + high + 2,
              middle_of_block(1) + 24 * (static_cast<double>(b) - 1), y + 106, Tone::ink);
  }
  svg.line(20, y + 62, 700, y + 62, Tone::accent);
  svg.text(700, y + 84, "the launch has ended", Tone::accent, Anchor::end, 13);

  y += 108;
  svg.heading(20, y + 2, "second launch");
  svg.text(20, y + 24, "one block");
  svg.box(middle_of_block(1) - 36, y, 72, high, Tone::soft);
  svg.code(middle_of_block(1), y + 22, three_digits(total), Tone::ink, Anchor::middle);
  svg.arrow(middle_of_block(1), y + high + 2, middle_of_block(1), y + 72, Tone::ink);
  svg.text(middle_of_block(1) + 12, y + 58, fmt::format("divided by n = {}", n), Tone::soft,
           Anchor::start, 13);

  y += 74;
  svg.text(20, y + 22, "loss");
  svg.box(middle_of_block(1) - 36, y, 72, high, Tone::accent);
  svg.code(middle_of_block(1), y + 22, three_digits(total / static_cast<double>(n)), Tone::ink,
           Anchor::middle);
  return svg;
}

const Figure figure("lessons/045_mse_loss/two-launches.svg", draw);

}  // namespace
}  // namespace figures
