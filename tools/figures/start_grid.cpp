// The start page: host and device, a grid of two blocks, and one thread's number.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kBlocks = 3, kThreads = 4;

Svg draw(const MicroBatch&) {
  Svg svg(720, 290, "Host, device, grid, block, thread",
          "The host launches a kernel; on the device a grid of three blocks with four threads each "
          "runs it, and each thread has a number of its own.");
  svg.heading(20, 26, "Host (CPU)");
  svg.box(20, 40, 190, 160, Tone::soft);
  svg.code(34, 68, "main()", Tone::ink, Anchor::start, 13);
  svg.code(34, 104, "hello", Tone::accent, Anchor::start, 13);
  svg.code(34, 122, fmt::format("<<<{}, {}>>>(out);", kBlocks, kThreads), Tone::accent,
           Anchor::start, 13);
  svg.text(34, 158, "goes on at once;", Tone::soft, Anchor::start, 12);
  svg.text(34, 174, "waits where it needs results", Tone::soft, Anchor::start, 12);
  svg.arrow(212, 116, 262, 116, Tone::accent);
  svg.text(237, 104, "launch", Tone::accent, Anchor::middle, 12);

  svg.heading(266, 26, "Device (GPU)");
  svg.box(266, 40, 434, 160, Tone::soft);
  svg.text(280, 62, fmt::format("grid: {} blocks", kBlocks), Tone::soft, Anchor::start, 12);
  for (std::size_t b = 0; b < kBlocks; ++b) {
    const double x = 280 + 138 * static_cast<double>(b);
    svg.box(x, 72, 130, 112, tone_of(b));
    svg.text(x + 8, 92, fmt::format("block {}", b), tone_of(b), Anchor::start, 13);
    for (std::size_t t = 0; t < kThreads; ++t) {
      const double tx = x + 6 + 30 * static_cast<double>(t);
      svg.box(tx, 104, 27, 30, tone_of(b), 3);
      svg.code(tx + 13.5, 124, std::to_string(t), Tone::ink, Anchor::middle);
      svg.code(tx + 13.5, 164, std::to_string(b * kThreads + t), Tone::accent, Anchor::middle, 13);
    }
  }
  svg.text(266, 222, "boxed: threadIdx.x, a thread's place in its block", Tone::soft, Anchor::start,
           13);
  svg.text(266, 244, "below: blockIdx.x * blockDim.x + threadIdx.x, in the whole grid",
           Tone::accent, Anchor::start, 13);
  svg.text(20, 274, "All twelve threads run the same function, each with its own numbers.");
  return svg;
}

const Figure figure("docs/start-grid.svg", draw);

}  // namespace
}  // namespace figures
