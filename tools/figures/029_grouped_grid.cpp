// The grid of a grouped launch over the micro-batch's rows: which blocks work, which find nothing.
#include <fmt/core.h>

#include <string>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kRowsOfBlock = 2;

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& offsets = batch.array("offsets");
  const std::size_t experts = offsets.size() - 1;
  const auto rows = static_cast<std::size_t>(offsets.back());
  const std::size_t blocks = (rows + kRowsOfBlock - 1) / kRowsOfBlock;

  Svg svg(720, 330, "One launch for all experts",
          "A grid of three blocks by four experts. Each block reads where its expert's rows begin "
          "and end: four blocks have rows, eight find none.");
  const double left = 170, top = 76, width = 150, height = 40, step = 52;
  svg.heading(20, 26, "grid: x = block of 2 rows, y = expert");
  for (std::size_t x = 0; x < blocks; ++x) {
    svg.text(left + 164 * static_cast<double>(x) + width / 2, 60, fmt::format("x = {}", x),
             Tone::soft, Anchor::middle, 12);
  }
  std::size_t working = 0;
  for (std::size_t e = 0; e < experts; ++e) {
    const double y = top + step * static_cast<double>(e);
    const auto begin = static_cast<std::size_t>(offsets[e]);
    const auto end = static_cast<std::size_t>(offsets[e + 1]);
    svg.text(20, y + 18, fmt::format("expert {}", e), tone_of(e));
    const std::string rows_of_expert = begin == end ? fmt::format("{} to {}: no rows", begin, end)
                                       : begin + 1 == end
                                           ? fmt::format("row {}", begin)
                                           : fmt::format("rows {} to {}", begin, end - 1);
    svg.text(20, y + 34, rows_of_expert, Tone::soft, Anchor::start, 12);
    for (std::size_t x = 0; x < blocks; ++x) {
      const double at = left + 164 * static_cast<double>(x);
      const std::size_t first = begin + x * kRowsOfBlock;
      if (first >= end) {
        svg.ghost(at, y, width, height);
        svg.text(at + width / 2, y + 25, "nothing to do", Tone::soft, Anchor::middle, 12);
        continue;
      }
      ++working;
      svg.box(at, y, width, height, tone_of(e));
      const bool pair = first + 1 < end;
      svg.text(at + width / 2, y + 25,
               pair ? fmt::format("rows {}, {}", first, first + 1) : fmt::format("row {}", first),
               Tone::ink, Anchor::middle);
    }
  }
  svg.text(20, 312,
           fmt::format("{} of {} blocks work. Enough for any expert to own all {} rows: the host "
                       "does not know who does.",
                       working, blocks * experts, rows),
           Tone::accent);
  return svg;
}

const Figure figure("lessons/029_expert_up/grouped-grid.svg", draw);

}  // namespace
}  // namespace figures
