// A chunk of X, staged once and used by the threads of every expert.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&x = batch.array("X"), &logits = batch.array("logits");
  const std::size_t tokens = 3, columns = 2, experts = 4, shown = 2;  // shown: the token followed

  Svg svg(720, 320, "Stage once, use for every expert",
          "Each number of X is copied once from memory into the chunk in shared memory; there the "
          "four threads of its row, one for each expert, all read it.");
  const double top = 84, step = 56, height = 36;
  const auto row = [&](std::size_t t) { return top + step * static_cast<double>(t); };

  svg.heading(20, 26, "X in memory");
  svg.text(20, 48, "read once", Tone::soft, Anchor::start, 12);
  svg.heading(226, 26, "chunk, shared by the block");
  svg.text(226, 48, "read by every thread of its row", Tone::soft, Anchor::start, 12);
  svg.heading(470, 26, "a thread per logit");
  for (std::size_t e = 0; e < experts; ++e)
    svg.text(494 + 58 * static_cast<double>(e), 70, fmt::format("e = {}", e), Tone::soft,
             Anchor::middle, 12);

  for (std::size_t t = 0; t < tokens; ++t) {
    const Tone tone = t == shown ? Tone::blue : Tone::soft;
    for (std::size_t d = 0; d < columns; ++d) {
      const double left = 20 + 46 * static_cast<double>(d);
      svg.box(left, row(t), 40, height, tone);
      svg.code(left + 20, row(t) + 23, print(x[t * columns + d]), Tone::ink, Anchor::middle);
      const double staged = 226 + 46 * static_cast<double>(d);
      svg.box(staged, row(t), 40, height, tone);
      svg.code(staged + 20, row(t) + 23, print(x[t * columns + d]), Tone::ink, Anchor::middle);
    }
    svg.arrow(116, row(t) + height / 2, 220, row(t) + height / 2, tone);
    svg.text(168, row(t) + height / 2 - 6, fmt::format("token {}", t), Tone::soft, Anchor::middle,
             12);
    for (std::size_t e = 0; e < experts; ++e) {
      const double left = 470 + 58 * static_cast<double>(e);
      svg.box(left, row(t), 48, height, tone);
      const double whole = std::round(logits[t * experts + e] / std::log(2.0));
      svg.code(left + 24, row(t) + 23, print(whole), Tone::ink, Anchor::middle);
    }
  }
  // The four readers of the followed row.
  const double from = row(shown) + height, bus = from + 22;
  svg.line(269, from, 269, bus, Tone::blue);
  svg.line(269, bus, 494 + 58 * 3, bus, Tone::blue);
  for (std::size_t e = 0; e < experts; ++e) {
    const double at = 494 + 58 * static_cast<double>(e);
    svg.arrow(at, bus, at, from + 3, Tone::blue);
  }
  svg.text(20, 290,
           fmt::format("{} loads from memory for {} uses. Logits are printed in units of ln 2.",
                       tokens * columns, tokens * columns * experts),
           Tone::accent);
  return svg;
}

const Figure figure("lessons/017_router_logits/staging.svg", draw);

}  // namespace
}  // namespace figures
