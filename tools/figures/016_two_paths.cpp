// The paths from one value to the gates: straight to its own, and through the sum to all.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::string lesson = "016_normalize_gates_backward";
  const std::size_t k = batch.size(lesson, "k");
  const std::vector<double>&values = batch.example(lesson, "values"),
        dgates = batch.example(lesson, "dgates");
  const std::size_t moved = 1;  // the value that the notes follow
  double sum = 0;
  for (const double value : values) sum += value;

  Svg svg(720, 250, "From a value to the gates",
          "Values 6, 3, 1 add up to s = 10; gates 0.6, 0.3, 0.1. The value 3 reaches its own gate "
          "directly, and through the sum it reaches all three gates.");
  const double top = 56, step = 62, height = 40;
  const auto y_of = [&](std::size_t j) { return top + step * static_cast<double>(j); };
  const double middle = y_of(moved) + height / 2;
  svg.heading(75, 30, "values", Anchor::middle);
  svg.heading(265, 30, "sum", Anchor::middle);
  svg.heading(475, 30, "gates", Anchor::middle);
  svg.heading(620, 30, "dg", Anchor::middle);
  for (std::size_t j = 0; j < k; ++j) {
    const double y = y_of(j);
    const bool own = j == moved;
    svg.box(30, y, 90, height, own ? Tone::accent : Tone::soft);
    svg.code(75, y + 25, fmt::format("v{} = {}", j, print(values[j])), Tone::ink, Anchor::middle);
    svg.box(410, y, 130, height, own ? Tone::accent : Tone::blue);
    svg.code(475, y + 25, fmt::format("g{} = {}", j, print(values[j] / sum)), Tone::ink,
             Anchor::middle);
    svg.code(620, y + 25, print(dgates[j]), Tone::ink, Anchor::middle);
    if (!own) {
      svg.line(122, y + height / 2, 218, middle + (j < moved ? -14 : 14));
    }
    svg.arrow(312,
              middle + (own         ? 8
                        : j < moved ? -8
                                    : 14),
              406, y + height / 2 + (own ? 8 : 0), Tone::blue);
  }
  svg.arrow(122, middle + 8, 214, middle + 8, Tone::blue);
  svg.box(220, y_of(moved) - 6, 90, height + 12, Tone::blue);
  svg.code(265, middle + 5, fmt::format("s = {}", print(sum)), Tone::ink, Anchor::middle);
  // The direct path, over the box of the sum.
  svg.line(122, middle - 12, 180, y_of(moved) - 18, Tone::accent);
  svg.line(180, y_of(moved) - 18, 350, y_of(moved) - 18, Tone::accent);
  svg.arrow(350, y_of(moved) - 18, 406, middle - 10, Tone::accent);
  svg.text(30, 240, "Red: v1 in its own gate. Blue: v1 in the sum, under every gate.", Tone::soft);
  return svg;
}

const Figure figure("lessons/016_normalize_gates_backward/two-paths.svg", draw);

}  // namespace
}  // namespace figures
