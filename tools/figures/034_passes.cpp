// What five calls move through memory, and what remains when the steps between products are fused.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "figure.h"

namespace figures {
namespace {

struct Step {
  std::string name, hidden, outer;  // passes over [P,H] and over [P,D]: one letter each
};

// Boxes for the passes: r reads, w writes.
double draw_passes(Svg& svg, double x, double y, const std::string& passes, const std::string& of) {
  double at = x;
  for (const char pass : passes) {
    const Tone tone = pass == 'r' ? Tone::blue : Tone::orange;
    svg.box(at, y, 62, 24, tone);
    svg.text(at + 31, y + 17, fmt::format("{} {}", pass == 'r' ? "read" : "write", of), Tone::ink,
             Anchor::middle, 12);
    at += 66;
  }
  return at;
}

std::size_t draw_steps(Svg& svg, double left, const std::string& title,
                       const std::vector<Step>& steps) {
  svg.heading(left, 26, title);
  double y = 44;
  std::size_t hidden = 0, outer = 0;
  for (const Step& step : steps) {
    svg.text(left, y + 17, step.name, Tone::ink, Anchor::start, 13);
    draw_passes(svg, left + 118, y, step.hidden, "H");
    draw_passes(svg, left + 118, y + 27, step.outer, "D");
    hidden += step.hidden.size();
    outer += step.outer.size();
    y += step.outer.empty() ? 34 : 61;
  }
  svg.text(left, 310, fmt::format("{} P H + {} P D floats", hidden, outer), Tone::accent);
  return hidden;
}

Svg draw(const MicroBatch&) {
  Svg svg(720, 336, "Passes over memory",
          "Five kernels pass over the hidden array six times and over the outer arrays four times. "
          "With bias and activation fused into the products three and two passes are left.");
  draw_steps(svg, 20, "five kernels",
             {{"029 up", "w", "r"},
              {"030 bias", "rw", ""},
              {"031 activation", "rw", ""},
              {"032 down", "r", "w"},
              {"033 bias", "", "rw"}});
  draw_steps(svg, 400, "two kernels, fused",
             {{"up, bias, act.", "ww", "r"}, {"down, bias", "r", "w"}});
  svg.text(400, 210, "Z and A are written both:", Tone::soft, Anchor::start, 13);
  svg.text(400, 228, "the backward wants both.", Tone::soft, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/034_expert_forward/passes.svg", draw);

}  // namespace
}  // namespace figures
