// Two kernels with the chosen values in memory between them, and one kernel that keeps them.
#include <fmt/core.h>

#include <string>

#include "figure.h"

namespace figures {
namespace {

void kernel(Svg& svg, double x, double y, const std::string& name, const std::string& what) {
  svg.box(x, y, 120, 56, Tone::blue, 10);
  svg.code(x + 60, y + 24, name, Tone::ink, Anchor::middle, 13);
  svg.text(x + 60, y + 44, what, Tone::soft, Anchor::middle, 12);
}

void memory(Svg& svg, double x, double y, const std::string& name, Tone tone) {
  svg.box(x, y, 84, 32, tone);
  svg.code(x + 42, y + 21, name, Tone::ink, Anchor::middle, 13);
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 330, "Two kernels, and one",
          "Above: the top-k kernel writes the values to memory, the normalising kernel reads them "
          "back. Below: one kernel keeps them in registers and writes experts and gates alone.");
  svg.heading(20, 26, "Two kernels");
  memory(svg, 20, 62, "probs", Tone::soft);
  svg.arrow(106, 78, 144, 78);
  kernel(svg, 148, 50, "014", "choose");
  svg.arrow(270, 78, 318, 78, Tone::accent);
  memory(svg, 322, 62, "values", Tone::accent);
  svg.text(364, 52, "in memory", Tone::accent, Anchor::middle, 12);
  svg.arrow(408, 78, 456, 78, Tone::accent);
  kernel(svg, 460, 50, "015", "divide");
  svg.arrow(582, 78, 620, 78);
  memory(svg, 624, 62, "gates", Tone::green);
  svg.line(208, 106, 208, 132, Tone::ink);
  svg.arrow(208, 132, 620, 132);
  memory(svg, 624, 116, "experts", Tone::green);
  svg.line(20, 166, 700, 166);

  svg.heading(20, 196, "One kernel: 019");
  memory(svg, 20, 246, "probs", Tone::soft);
  svg.arrow(106, 262, 144, 262);
  svg.box(148, 212, 432, 100, Tone::blue, 10);
  svg.text(168, 236, "a warp: choice j is kept by lane j, all lanes add up", Tone::soft,
           Anchor::start, 12);
  for (int lane = 0; lane < 4; ++lane) {
    const double x = 168 + 92.0 * lane;
    const bool keeps = lane < 2;
    if (keeps) {
      svg.box(x, 248, 84, 28, Tone::accent);
    } else {
      svg.ghost(x, 248, 84, 28);
    }
    svg.code(x + 42, 267, keeps ? fmt::format("choice {}", lane) : "", Tone::ink, Anchor::middle,
             12);
    svg.code(x + 42, 296, lane < 3 ? fmt::format("lane {}", lane) : "...", Tone::soft,
             Anchor::middle, 12);
  }
  svg.arrow(582, 236, 620, 236);
  memory(svg, 624, 220, "gates", Tone::green);
  svg.arrow(582, 288, 620, 288);
  memory(svg, 624, 272, "experts", Tone::green);
  return svg;
}

const Figure figure("lessons/019_router_topk/fusion.svg", draw);

}  // namespace
}  // namespace figures
