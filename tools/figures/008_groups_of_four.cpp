// A warp's load requests with 4 and with 16 bytes a thread; eighteen elements in groups and a tail.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr double kLeft = 24, kWidth = 672;

// The same 128 floats under `requests` loads of a warp.
void draw_requests(Svg& svg, double y, std::size_t requests, const std::string& heading) {
  const std::size_t sectors = 16;
  svg.heading(kLeft, y, heading);
  const double part = kWidth / static_cast<double>(requests);
  for (std::size_t r = 0; r < requests; ++r) {
    const double x = kLeft + part * static_cast<double>(r);
    svg.box(x, y + 12, part - 4, 32, tone_of(r));
    const std::size_t each = 128 / requests;
    svg.text(x + (part - 4) / 2, y + 33,
             fmt::format("request {}: floats {} to {}", r, r * each, (r + 1) * each - 1), Tone::ink,
             Anchor::middle, 11);
  }
  const double sector = kWidth / static_cast<double>(sectors);
  for (std::size_t s = 0; s < sectors; ++s) {
    svg.box(kLeft + sector * static_cast<double>(s), y + 50, sector - 4, 12, Tone::soft, 2);
  }
}

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& z = batch.array("Z");
  Svg svg(
      720, 372, "Load requests, and groups of four",
      "A hundred and twenty-eight floats lie in sixteen sectors. With 4 bytes a thread a warp "
      "needs four load requests for them, with 16 bytes a thread one. Below, eighteen elements: "
      "four groups of four and a tail of two.");
  draw_requests(svg, 28, 4, "4 bytes a thread: four requests, four sectors each");
  draw_requests(svg, 130, 1, "16 bytes a thread: one request, the same sixteen sectors");

  svg.heading(kLeft, 240, fmt::format("n = {}: groups of four, and a tail", z.size()));
  const double cell = 35, gap = 8;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::size_t group = i / 4;
    const bool tail = group == z.size() / 4;
    const double x = kLeft + cell * static_cast<double>(i) + gap * static_cast<double>(group);
    if (tail) {
      svg.ghost(x, 256, cell - 3, 34);
    } else {
      svg.box(x, 256, cell - 3, 34, tone_of(group));
    }
    svg.code(x + (cell - 3) / 2, 278, print(z[i]), Tone::ink, Anchor::middle, 11);
    if (i % 4 == 0) {
      svg.text(x, 310, tail ? "tail" : fmt::format("thread {}", group),
               tail ? Tone::soft : tone_of(group), Anchor::start, 13);
    }
  }
  svg.text(kLeft, 346, "Threads 0 to 3 take a group each; threads 0 and 1 then one more element.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/008_relu_forward/groups-of-four.svg", draw);

}  // namespace
}  // namespace figures
