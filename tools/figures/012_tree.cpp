// Eight threads add up eight numbers: a tree of three steps, with a barrier after each.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kThreads = 8;

Svg draw(const MicroBatch& batch) {
  // exp of the first two tokens' logits, times 4: whole numbers.
  const std::vector<double>& logits = batch.array("logits");
  std::vector<double> shared(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) shared[i] = std::round(4 * std::exp(logits[i]));

  Svg svg(720, 372, "Tree reduction of eight numbers",
          "Eight threads store a number each. In step 1 threads 0 to 3 add what lies four places "
          "further, in step 2 threads 0 and 1 what lies two further, in step 3 thread 0 the last "
          "one. After each step, and before the first, stands a barrier: four in all.");
  const double cell = 66, left = 150, high = 34, pitch = 82;
  const auto x_of = [&](std::size_t i) { return left + cell * static_cast<double>(i); };
  const auto middle = [&](std::size_t i) { return x_of(i) + (cell - 10) / 2; };
  for (std::size_t i = 0; i < kThreads; ++i)
    svg.code(middle(i), 24, fmt::format("i = {}", i), Tone::soft, Anchor::middle, 12);

  std::size_t alive = kThreads;
  for (std::size_t step = 0; alive > 0; ++step) {
    const double y = 38 + pitch * static_cast<double>(step);
    svg.heading(20, y + 22, step == 0 ? "stored" : fmt::format("step {}", step));
    if (step > 0)
      svg.code(20, y + 40, fmt::format("half = {}", alive), Tone::soft, Anchor::start, 12);
    for (std::size_t i = 0; i < kThreads; ++i) {
      if (i >= alive) {
        svg.ghost(x_of(i), y, cell - 10, high);
        continue;
      }
      svg.box(x_of(i), y, cell - 10, high, step == 0 ? Tone::soft : Tone::blue);
      svg.code(middle(i), y + 22, print(shared[i]), Tone::ink, Anchor::middle);
    }
    if (step < 3) {
      svg.line(left - 10, y + high + 10, 690, y + high + 10, Tone::accent);
      for (std::size_t i = 0; i < alive / 2; ++i) {
        svg.arrow(middle(i), y + high + 2, middle(i), y + pitch - 2, Tone::soft);
        svg.arrow(middle(i + alive / 2), y + high + 2, middle(i) + 9, y + pitch - 2, Tone::blue);
        shared[i] += shared[i + alive / 2];
      }
    } else {
      svg.line(left - 10, y + high + 10, 690, y + high + 10, Tone::accent);
      svg.text(left - 10, y + high + 30, "Each red line is a barrier. Then all read shared[0].",
               Tone::accent);
    }
    alive /= 2;
  }
  return svg;
}

const Figure figure("lessons/012_softmax_rows/tree.svg", draw);

}  // namespace
}  // namespace figures
