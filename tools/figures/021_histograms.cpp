// The pairs of the micro-batch, counted by two blocks of three threads, and the sum of both.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&experts = batch.array("experts"), &counts = batch.array("counts");
  const std::size_t per_block = 3, blocks = experts.size() / per_block;

  Svg svg(720, 340, "A private histogram for each block",
          "Six pairs and the experts they chose. Two blocks count three pairs each in shared "
          "memory; then both add their counts to those in global memory.");
  const double pair_width = 52, block_width = 320;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double left = 120 + block_width * static_cast<double>(b);
    svg.heading(left, 26, fmt::format("block {}", b));
    std::vector<std::size_t> histogram(counts.size());
    for (std::size_t i = 0; i < per_block; ++i) {
      const std::size_t pair = b * per_block + i;
      const std::size_t expert = static_cast<std::size_t>(experts[pair]);
      ++histogram[expert];
      const double x = left + pair_width * static_cast<double>(i);
      svg.text(x + 22, 52, fmt::format("{}", pair), Tone::soft, Anchor::middle, 12);
      svg.box(x, 60, 44, 32, tone_of(expert));
      svg.code(x + 22, 81, print(experts[pair]), Tone::ink, Anchor::middle);
    }
    for (std::size_t e = 0; e < counts.size(); ++e) {
      const double x = left + pair_width * static_cast<double>(e);
      svg.text(x + 22, 146, fmt::format("e = {}", e), Tone::soft, Anchor::middle, 12);
      svg.box(x, 154, 44, 32, tone_of(e));
      svg.code(x + 22, 175, fmt::format("{}", histogram[e]), Tone::ink, Anchor::middle);
    }
    svg.arrow(left + 74, 98, left + 74, 130, Tone::ink);
    svg.text(left + 86, 120, "3 additions in shared memory", Tone::soft, Anchor::start, 12);
    svg.arrow(left + 98, 192, b == 0 ? 350 : 400, 246, Tone::ink);
  }
  svg.text(20, 81, "pair chose");
  svg.text(20, 175, "counts of");
  svg.text(20, 192, "the block");
  svg.text(20, 280, "counts");
  for (std::size_t e = 0; e < counts.size(); ++e) {
    const double x = 272 + pair_width * static_cast<double>(e);
    svg.box(x, 258, 44, 32, tone_of(e));
    svg.code(x + 22, 279, print(counts[e]), Tone::ink, Anchor::middle);
  }
  svg.text(486, 228, "2 and 3 additions in global memory:", Tone::soft, Anchor::start, 12);
  svg.text(486, 244, "zeros are not sent", Tone::soft, Anchor::start, 12);
  svg.text(20, 324,
           "Expert 1 was chosen by no pair: its count is 0, and must be written all the same.",
           Tone::accent);
  return svg;
}

const Figure figure("lessons/021_count_tokens/histograms.svg", draw);

}  // namespace
}  // namespace figures
