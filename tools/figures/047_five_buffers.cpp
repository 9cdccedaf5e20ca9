// The micro-batch's five gradient buffers to scale, and the quarter that a fill reaches whose size
// is given in elements.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  struct Row {
    const char *name, *shape, *array;
  };
  const Row rows[] = {{"Wg", "[D,E]", "dWg"},
                      {"W1", "[E,D,H]", "dW1"},
                      {"b1", "[E,H]", "db1"},
                      {"W2", "[E,H,D]", "dW2"},
                      {"b2", "[E,D]", "db2"}};
  Svg svg(
      720, 312, "Five gradient buffers",
      "The buffers of the micro-batch to scale: Wg with 8 floats or 32 bytes, W1 with 24 floats "
      "or 96 bytes, b1 with 12 floats or 48 bytes, W2 like W1, b2 like Wg. A fill of as many "
      "bytes as there are floats ends after a quarter of each.");
  const double cell = 16, left = 140, high = 26, pitch = 46;
  double y = 44;
  svg.text(left, 26, "a box is a float, 4 bytes", Tone::soft, Anchor::start, 13);
  for (const Row& row : rows) {
    const std::size_t count = batch.array(row.array).size();
    svg.code(20, y + 18, row.name);
    svg.code(54, y + 18, row.shape, Tone::soft, Anchor::start, 13);
    for (std::size_t i = 0; i < count; ++i) {
      svg.box(left + cell * static_cast<double>(i), y, cell - 2, high,
              i < count / 4 ? Tone::blue : Tone::soft, 2);
    }
    const double quarter = left + cell * static_cast<double>(count) / 4 - 1;
    svg.line(quarter, y - 5, quarter, y + high + 5, Tone::accent);
    svg.text(left + cell * static_cast<double>(count) + 10, y + 18,
             fmt::format("{} floats, {} bytes", count, 4 * count), Tone::ink, Anchor::start, 13);
    y += pitch;
  }
  svg.text(20, y + 18, "Up to the red line: a fill of 8, 24, 12, 24 and 8 bytes.", Tone::accent);
  return svg;
}

const Figure figure("lessons/047_zero_grads/five-buffers.svg", draw);

}  // namespace
}  // namespace figures
