// Pairs of the micro-batch, their slots, and the vote of the warp of expert 0.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kWarpOf = 0;  // the expert whose vote is shown

Svg draw(const MicroBatch& batch) {
  Svg svg(720, 430, "Pairs, counts, offsets, slots",
          "Six pairs in token order, each with its expert; arrows lead to six slots in expert "
          "order. Below, the vote of expert 0's warp: one bit a lane, and each yes vote's rank.");
  const auto& experts = batch.array("experts");
  const auto& offsets = batch.array("offsets");
  const auto& counts = batch.array("counts");
  const auto& slots = batch.array("slot_of_pair");
  const auto& pairs = batch.array("pair_of_slot");
  const double left = 132, step = 96, wide = 78, high = 36;
  const double top = 40, low = 160;
  const auto x_of = [&](std::size_t i) { return left + step * static_cast<double>(i); };
  const auto expert = [&](std::size_t p) { return static_cast<std::size_t>(experts[p]); };

  svg.heading(20, top + 23, "pairs");
  svg.heading(20, low + 23, "slots");
  for (std::size_t p = 0; p < experts.size(); ++p) {
    const std::size_t s = static_cast<std::size_t>(slots[p]);
    svg.text(x_of(p) + wide / 2, top - 10, fmt::format("p = {}", p), Tone::ink, Anchor::middle, 13);
    svg.box(x_of(p), top, wide, high, tone_of(expert(p)));
    svg.text(x_of(p) + wide / 2, top + 23, fmt::format("expert {}", expert(p)), Tone::ink,
             Anchor::middle, 13);
    svg.arrow(x_of(p) + wide / 2, top + high + 3, x_of(s) + wide / 2, low - 4,
              expert(p) == kWarpOf ? Tone::accent : Tone::soft);
  }
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    const std::size_t p = static_cast<std::size_t>(pairs[s]);
    svg.box(x_of(s), low, wide, high, tone_of(expert(p)));
    svg.text(x_of(s) + wide / 2, low + 23, fmt::format("pair {}", p), Tone::ink, Anchor::middle,
             13);
    svg.text(x_of(s) + wide / 2, low + high + 17, fmt::format("s = {}", s), Tone::ink,
             Anchor::middle, 13);
  }
  for (std::size_t e = 0; e < counts.size(); ++e) {
    const double x = 20 + 172 * static_cast<double>(e);
    svg.mark(x, low + 72, 12, 12, tone_of(e), 2);
    svg.text(x + 18, low + 83,
             counts[e] > 0
                 ? fmt::format("expert {}: {} from {}", e, print(counts[e]), print(offsets[e]))
                 : fmt::format("expert {}: none", e),
             Tone::ink, Anchor::start, 13);
  }

  const double vote = low + 136;
  svg.heading(20, vote - 22, fmt::format("the warp of expert {}, its first step", kWarpOf));
  svg.text(20, vote + 22, "vote");
  svg.text(20, vote + 58, "yes below");
  svg.text(20, vote + 92, "slot");
  std::size_t rank = 0;
  for (std::size_t p = 0; p < experts.size(); ++p) {
    const bool yes = expert(p) == kWarpOf;
    const double x = x_of(p), middle = x + wide / 2;
    if (yes)
      svg.box(x, vote, wide, 32, tone_of(kWarpOf));
    else
      svg.ghost(x, vote, wide, 32);
    svg.code(middle, vote + 21, yes ? "1" : "0", yes ? Tone::ink : Tone::idle, Anchor::middle);
    if (!yes) continue;
    svg.code(middle, vote + 58, fmt::format("{}", rank), Tone::ink, Anchor::middle);
    svg.code(middle, vote + 92,
             fmt::format("{} + {} = {}", print(offsets[kWarpOf]), rank, print(slots[p])),
             Tone::accent, Anchor::middle, 13);
    ++rank;
  }
  return svg;
}

const Figure figure("lessons/023_assign_slots/slots.svg", draw);

}  // namespace
}  // namespace figures
