// The experts' load before and after training, without and with the auxiliary loss.
#include <fmt/core.h>

#include <array>
#include <string>

#include "figure.h"

namespace figures {
namespace {

struct Run {
  std::string name, below;
  std::array<double, 8> load;
  Tone tone;
};

// `grade train --alpha A` with everything else at its default, the reference kernels, seed 1.
const std::array<Run, 3> kRuns = {{
    {"before", "as drawn", {.15, .03, .00, .01, .33, .32, .03, .13}, Tone::soft},
    {"alpha = 0", "mse 2.56 to 0.18", {.00, .05, .00, .07, .50, .00, .06, .32}, Tone::orange},
    {"alpha = 0.2", "mse 2.56 to 0.24", {.13, .14, .14, .09, .16, .08, .13, .12}, Tone::blue},
}};

Svg draw(const MicroBatch&) {
  Svg svg(720, 270, "What alpha does to the load",
          "Bars for 8 experts. Before training the load is uneven; after 300 steps without the "
          "auxiliary loss two experts have four fifths of it and three have none; with alpha 0.2 "
          "every expert has between 0.08 and 0.16.");
  const double base = 208, tall = 280, pitch = 24, width = 20;
  for (std::size_t r = 0; r < kRuns.size(); ++r) {
    const Run& run = kRuns[r];
    const double left = 20 + 236 * static_cast<double>(r);
    svg.heading(left, 24, run.name);
    svg.text(left, 42, run.below, Tone::soft, Anchor::start, 12);
    svg.line(left - 4, base, left + 8 * pitch, base);
    for (std::size_t e = 0; e < run.load.size(); ++e) {
      const double x = left + pitch * static_cast<double>(e), height = tall * run.load[e];
      if (height > 0) svg.mark(x, base - height, width, height, run.tone);
      svg.text(x + width / 2, base - height - 5,
               run.load[e] == 0 ? "0" : fmt::format(".{:02.0f}", 100 * run.load[e]), Tone::ink,
               Anchor::middle, 10);
      svg.text(x + width / 2, base + 16, fmt::format("{}", e), Tone::soft, Anchor::middle, 11);
    }
  }
  svg.text(20, 254,
           "Shares of all pairs by expert: 256 tokens in four regions, K = 2, 300 steps, one seed.",
           Tone::soft, Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/052_train_loop/loads.svg", draw);

}  // namespace
}  // namespace figures
