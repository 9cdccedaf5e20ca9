// Fifteen threads in three blocks of five over the twelve elements of lesson 001's example.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kBlock = 5;

Svg draw(const MicroBatch& batch) {
  const std::string lesson = "001_matmul_nn";
  const std::size_t rows = batch.size(lesson, "M"), cols = batch.size(lesson, "N");
  const std::vector<double>& c = batch.example(lesson, "C");
  const std::size_t elements = rows * cols, blocks = (elements + kBlock - 1) / kBlock;

  Svg svg(720, 318, "Threads over the elements of C",
          "Fifteen threads in three blocks of five; the first twelve map to the elements of a 3 by "
          "4 matrix, the last three have none.");
  svg.heading(20, 26, "Threads, in blocks of 5");
  const double cell = 40;
  const auto thread_x = [&](std::size_t i) {
    return 20.0 + cell * static_cast<double>(i) + 28.0 * static_cast<double>(i / kBlock);
  };
  for (std::size_t b = 0; b < blocks; ++b)
    svg.text(thread_x(b * kBlock), 52, fmt::format("block {}", b), tone_of(b));
  for (std::size_t i = 0; i < blocks * kBlock; ++i) {
    if (i < elements)
      svg.box(thread_x(i), 60, cell - 4, 36, tone_of(i / kBlock));
    else
      svg.ghost(thread_x(i), 60, cell - 4, 36);
    svg.code(thread_x(i) + 18, 83, std::to_string(i), i < elements ? Tone::ink : Tone::idle,
             Anchor::middle);
  }
  svg.text(thread_x(elements) + 58, 114, "no element: return", Tone::idle, Anchor::middle, 13);

  svg.heading(20, 148, "The elements of C, row-major");
  const double width = 76, height = 40, left = 84, top = 172;
  for (std::size_t col = 0; col < cols; ++col)
    svg.text(left + width * (static_cast<double>(col) + 0.5) - 3, top - 4,
             fmt::format("col {}", col), Tone::soft, Anchor::middle, 12);
  for (std::size_t row = 0; row < rows; ++row) {
    const double y = top + height * static_cast<double>(row);
    svg.text(left - 12, y + 25, fmt::format("row {}", row), Tone::soft, Anchor::end, 12);
    for (std::size_t col = 0; col < cols; ++col) {
      const std::size_t i = row * cols + col;
      const double x = left + width * static_cast<double>(col);
      svg.box(x, y + 2, width - 6, height - 5, tone_of(i / kBlock));
      svg.code(x + (width - 6) / 2, y + 25, std::to_string(i), Tone::ink, Anchor::middle);
    }
  }

  const std::size_t i = 10;
  const double right = 430;
  svg.text(right, 184, fmt::format("Thread {}, outlined", i), Tone::accent, Anchor::start, 15);
  svg.code(right, 208, fmt::format("i   = {} * {} + {} = {}", i / kBlock, kBlock, i % kBlock, i));
  svg.code(right, 230, fmt::format("row = {} / {} = {}", i, cols, i / cols));
  svg.code(right, 252, fmt::format("col = {} % {} = {}", i, cols, i % cols));
  svg.code(right, 274, fmt::format("C[{}][{}] = {}", i / cols, i % cols, print(c[i])));
  svg.ring(thread_x(i) - 3, 57, cell + 2, 42, Tone::accent);
  svg.ring(left + width * static_cast<double>(i % cols) - 3,
           top + height * static_cast<double>(i / cols) - 1, width, height + 1, Tone::accent);
  return svg;
}

const Figure figure("lessons/001_matmul_nn/threads-over-c.svg", draw);

}  // namespace
}  // namespace figures
