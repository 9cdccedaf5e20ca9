// The micro-batch's counts under a prefix sum by doubling, and the offsets that follow.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  std::vector<double> sums = batch.array("counts");
  const std::vector<double>& offsets = batch.array("offsets");
  const std::size_t experts = sums.size();

  Svg svg(720, 400, "A prefix sum by doubling",
          "Four counts and two steps. In the first, each sum takes the one at its left; in the "
          "second, the one two places to the left. Then every entry holds the sum of all counts up "
          "to its own.");
  const double width = 64, pitch = 96, left = 150, height = 36;
  const auto at = [&](std::size_t e) { return left + pitch * static_cast<double>(e); };
  const auto middle = [&](std::size_t e) { return at(e) + width / 2; };
  const auto row = [&](double y, const std::vector<double>& numbers) {
    for (std::size_t e = 0; e < numbers.size(); ++e) {
      svg.box(at(e), y, width, height, tone_of(e));
      svg.code(middle(e), y + 23, print(numbers[e]), Tone::ink, Anchor::middle);
    }
  };
  for (std::size_t e = 0; e < experts; ++e)
    svg.text(middle(e), 30, fmt::format("e = {}", e), Tone::soft, Anchor::middle, 12);

  double y = 42;
  svg.text(20, y + 23, "counts");
  row(y, sums);
  svg.text(550, y + 23, "1 count each", Tone::soft, Anchor::start, 13);
  for (std::size_t reach = 1; reach < experts; reach *= 2) {
    const std::vector<double> before = sums;
    for (std::size_t e = experts; e-- > reach;) {
      sums[e] += before[e - reach];
      svg.arrow(middle(e - reach) + 8, y + height + 2, middle(e) - 8, y + 94, Tone::accent);
    }
    for (std::size_t e = 0; e < experts; ++e)
      svg.line(middle(e), y + height + 2, middle(e), y + 94, Tone::idle);
    y += 98;
    svg.text(20, y + 23, fmt::format("reach {}", reach));
    row(y, sums);
    svg.text(550, y + 23, fmt::format("the last {} counts", 2 * reach), Tone::soft, Anchor::start,
             13);
  }
  y += 88;
  svg.text(20, y + 23, "offsets");
  for (std::size_t e = 0; e <= experts; ++e) {
    const double x = left - pitch / 2 + pitch * static_cast<double>(e);
    svg.box(x, y, width, height, Tone::soft);
    svg.code(x + width / 2, y + 23, print(offsets[e]), Tone::ink, Anchor::middle);
    if (e > 0) svg.arrow(middle(e - 1), y - 50, x + width / 2, y - 3, Tone::ink);
  }
  svg.text(20, y + 70, "Expert 1 is empty: its offset and the next are equal.", Tone::accent);
  return svg;
}

const Figure figure("lessons/022_expert_offsets/doubling.svg", draw);

}  // namespace
}  // namespace figures
