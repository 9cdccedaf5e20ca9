// A block of 4 x 2 threads over three rows of four columns: partial sums, the barrier, the owners.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kHeight = 2;

Svg draw(const MicroBatch& batch) {
  const std::string lesson = "005_bias_grad";
  const std::size_t rows = batch.size(lesson, "rows"), cols = batch.size(lesson, "cols");
  const std::vector<double>&dY = batch.example(lesson, "dY"),
        &before = batch.example(lesson, "db_before");

  Svg svg(
      720, 400, "One block adds up columns",
      "Four columns, three rows. The threads with y = 0 add up rows 0 and 2, those with y = 1 "
      "row 1. Eight partial sums lie in shared memory; after the barrier the threads with y = 0 "
      "add two each and add the total to db.");
  const double cell = 62, high = 34, left = 250;
  const auto x_of = [&](std::size_t c) { return left + cell * static_cast<double>(c); };
  const auto number = [&](std::size_t c, double y, double value, Tone tone) {
    svg.box(x_of(c), y, cell - 8, high - 4, tone);
    svg.code(x_of(c) + (cell - 8) / 2, y + 20, print(value), Tone::ink, Anchor::middle);
  };
  const auto side = [&](double y, const std::string& words, Tone tone) {
    svg.text(left + cell * static_cast<double>(cols) + 8, y + 20, words, tone, Anchor::start, 13);
  };
  for (std::size_t c = 0; c < cols; ++c)
    svg.code(x_of(c) + (cell - 8) / 2, 26, fmt::format("x = {}", c), Tone::soft, Anchor::middle,
             12);

  svg.heading(20, 62, "1  rows, shared out");
  svg.code(20, 84, "sum, in a register", Tone::soft, Anchor::start, 12);
  std::vector<double> partial(kHeight * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    const double y = 40 + high * static_cast<double>(r);
    const std::size_t owner = r % kHeight;
    svg.code(left - 14, y + 20, fmt::format("row {}", r), Tone::soft, Anchor::end, 12);
    for (std::size_t c = 0; c < cols; ++c) {
      number(c, y, dY[r * cols + c], tone_of(owner));
      partial[owner * cols + c] += dY[r * cols + c];
    }
    side(y, fmt::format("read by y = {}", owner), tone_of(owner));
  }

  svg.heading(20, 182, "2  shared memory");
  svg.code(20, 204, "partial[y][x] = sum", Tone::soft, Anchor::start, 12);
  for (std::size_t y = 0; y < kHeight; ++y) {
    const double top = 162 + high * static_cast<double>(y);
    svg.code(left - 14, top + 20, fmt::format("y = {}", y), Tone::soft, Anchor::end, 12);
    for (std::size_t c = 0; c < cols; ++c) number(c, top, partial[y * cols + c], tone_of(y));
    side(top, fmt::format("written by y = {}", y), tone_of(y));
  }
  const double barrier = 248;
  svg.line(20, barrier, 700, barrier, Tone::accent);
  svg.code(20, barrier + 20, "__syncthreads()", Tone::accent, Anchor::start, 13);
  svg.text(left, barrier + 20, "nobody passes before all threads of the block are here",
           Tone::accent, Anchor::start, 13);

  svg.heading(20, 304, "3  the owners");
  svg.code(20, 326, "db[col] += total", Tone::soft, Anchor::start, 12);
  svg.code(left - 14, 304, "total", Tone::soft, Anchor::end, 12);
  svg.code(left - 14, 304 + high, "db before", Tone::soft, Anchor::end, 12);
  svg.code(left - 14, 304 + 2 * high, "db after", Tone::soft, Anchor::end, 12);
  for (std::size_t c = 0; c < cols; ++c) {
    double total = 0;
    for (std::size_t y = 0; y < kHeight; ++y) total += partial[y * cols + c];
    number(c, 284, total, Tone::blue);
    number(c, 284 + high, before[c], Tone::soft);
    number(c, 284 + 2 * high, before[c] + total, Tone::green);
  }
  side(284, "by y = 0 alone", Tone::blue);
  return svg;
}

const Figure figure("lessons/005_bias_grad/block-sum.svg", draw);

}  // namespace
}  // namespace figures
