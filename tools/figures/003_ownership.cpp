// Two tokens that race for one weight's gradient, and one thread that owns it.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::string lesson = "003_matmul_tn";
  const std::size_t rows = batch.size(lesson, "M"), cols = batch.size(lesson, "N"),
                    tokens = batch.size(lesson, "K");
  const std::vector<double>&a = batch.example(lesson, "A"), b = batch.example(lesson, "B");
  const std::size_t row = 1, col = 1;  // the element that the notes follow
  const double before = batch.example(lesson, "C_before")[row * cols + col];
  const double after = batch.example(lesson, "C")[row * cols + col];

  Svg svg(720, 300, "A race, and an owner",
          "Left: two threads, one per token, both read 10 and both write 11, so one share is lost. "
          "Right: one thread sums both shares and adds 2 once, giving 12.");
  svg.heading(20, 26, "A thread per token: a race");
  const double one = 70, two = 190, cell = 280;
  svg.text(one, 52, "token 1", Tone::blue, Anchor::middle);
  svg.text(two, 52, "token 2", Tone::orange, Anchor::middle);
  svg.code(cell, 52, fmt::format("C[{}][{}]", row, col), Tone::ink, Anchor::middle);
  struct Step {
    double lane;
    Tone tone;
    std::string what;
    double content;
  };
  const std::vector<Step> steps = {
      {one, Tone::blue, fmt::format("read {}", print(before)), before},
      {two, Tone::orange, fmt::format("read {}", print(before)), before},
      {one, Tone::blue, fmt::format("write {} + 1", print(before)), before + 1},
      {two, Tone::orange, fmt::format("write {} + 1", print(before)), before + 1}};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const double y = 66 + 46 * static_cast<double>(s);
    svg.box(steps[s].lane - 52, y, 104, 32, steps[s].tone);
    svg.code(steps[s].lane, y + 21, steps[s].what, Tone::ink, Anchor::middle, 13);
    svg.box(cell - 26, y, 52, 32, Tone::soft);
    svg.code(cell, y + 21, print(steps[s].content), Tone::ink, Anchor::middle);
  }
  svg.text(20, 278,
           fmt::format("One share is lost: {} instead of {}.", print(before + 1), print(after)),
           Tone::accent);
  svg.line(352, 16, 352, 284);

  svg.heading(384, 26, "A thread per element: an owner");
  const std::size_t owner = row * cols + col;
  svg.text(384, 52, fmt::format("thread {}", owner), Tone::green);
  double sum = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    const double y = 66 + 38 * static_cast<double>(t);
    const double x = a[t * rows + row], dy = b[t * cols + col];
    sum += x * dy;
    svg.box(384, y, 236, 28, Tone::green);
    svg.code(396, y + 19, fmt::format("sum += {} * {}", print(x), print(dy)), Tone::ink,
             Anchor::start, 13);
    svg.text(606, y + 19, fmt::format("token {}", t), Tone::soft, Anchor::end, 12);
  }
  const double y = 66 + 38 * static_cast<double>(tokens) + 6;
  svg.box(384, y, 236, 32, Tone::green);
  svg.code(396, y + 21, fmt::format("C[{}][{}] += {}", row, col, print(sum)));
  svg.arrow(622, y + 16, 648, y + 16, Tone::green);
  svg.box(650, y, 52, 32, Tone::soft);
  svg.code(676, y + 21, print(before + sum), Tone::ink, Anchor::middle);
  svg.text(384, 278, "Read once, written once, by one thread.", Tone::green);
  return svg;
}

const Figure figure("lessons/003_matmul_tn/ownership.svg", draw);

}  // namespace
}  // namespace figures
