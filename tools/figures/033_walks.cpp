// The walks of four experts' threads down the micro-batch's rows, side by side.
#include <fmt/core.h>

#include <algorithm>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& offsets = batch.array("offsets");
  const std::size_t experts = offsets.size() - 1;
  const auto row_at = [&](std::size_t e) { return static_cast<std::size_t>(offsets[e]); };
  std::size_t longest = 0;
  for (std::size_t e = 0; e < experts; ++e) {
    longest = std::max(longest, row_at(e + 1) - row_at(e));
  }

  Svg svg(
      720, 308, "Everybody waits for the fullest expert",
      "A line for each expert: its threads read their bias once, then add it row by row. Expert "
      "0 takes three steps, expert 2 two, expert 3 one, expert 1 none.");
  const double first = 240, step = 150, top = 62, height = 36, line = 50;
  svg.heading(20, 28, "block of");
  svg.heading(116, 28, "keeps");
  for (std::size_t s = 0; s < longest; ++s) {
    svg.text(first + step * static_cast<double>(s) + 65, 28, fmt::format("step {}", s + 1),
             Tone::soft, Anchor::middle);
  }
  for (std::size_t e = 0; e < experts; ++e) {
    const double y = top + line * static_cast<double>(e);
    svg.text(20, y + 23, fmt::format("expert {}", e), tone_of(e));
    svg.box(116, y, 88, height, tone_of(e));
    svg.code(160, y + 23, fmt::format("b2[{}]", e), Tone::ink, Anchor::middle);
    for (std::size_t s = 0; s < longest; ++s) {
      const double x = first + step * static_cast<double>(s);
      const std::size_t row = row_at(e) + s;
      if (row >= row_at(e + 1)) {
        svg.ghost(x, y, 130, height);
        svg.text(x + 65, y + 23, "done", Tone::soft, Anchor::middle, 12);
        continue;
      }
      svg.box(x, y, 130, height, tone_of(e));
      svg.text(x + 65, y + 23, fmt::format("row {}", row), Tone::ink, Anchor::middle);
    }
  }
  svg.text(
      20, 288,
      fmt::format("{} rows in {} steps: with an even load {} would do, for {} experts.",
                  row_at(experts), longest, (row_at(experts) + experts - 1) / experts, experts),
      Tone::accent);
  return svg;
}

const Figure figure("lessons/033_expert_down_bias/walks.svg", draw);

}  // namespace
}  // namespace figures
