// Three routers: their shares and mean probabilities, and what the auxiliary loss makes of them.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

struct Router {
  std::string name, remark;
  std::vector<double> shares, means;
};

Svg draw(const MicroBatch& batch) {
  const std::vector<Router> routers = {
      {"the micro-batch", "both deviate the same way", batch.array("fractions"),
       batch.array("mean_probs")},
      {"even on average", "an idle expert, unseen", {2 / 3., 1 / 3., 0}, {1 / 3., 1 / 3., 1 / 3.}},
      {"below 1", "they deviate in opposite ways", {.5, .5, 0}, {.2, .4005, .3995}}};

  Svg svg(720, 330, "Three routers and their auxiliary loss",
          "A pair of bars for each expert: its share of the pairs and its mean probability, with a "
          "line at 1/E. In the micro-batch both are highest at expert 0, and the loss divided by "
          "alpha is 1.411. In the second router the shares are uneven and the mean probabilities "
          "even: 1.000. In the third the mean probability is low at expert 0, which gets half of "
          "the pairs: 0.901.");
  const double base = 210, scale = 220, bar = 18, pitch = 52;
  double left = 24;
  for (const Router& router : routers) {
    const std::size_t experts = router.shares.size();
    const double width = pitch * static_cast<double>(experts);
    double value = 0;
    svg.heading(left, 30, router.name);
    for (std::size_t e = 0; e < experts; ++e) {
      const double x = left + pitch * static_cast<double>(e) + 4;
      const double share = scale * router.shares[e], mean = scale * router.means[e];
      if (share > 0)
        svg.box(x, base - share, bar, share, Tone::orange, 1);
      else
        svg.code(x + bar / 2, base - 4, "0", Tone::orange, Anchor::middle, 12);
      svg.box(x + bar + 2, base - mean, bar, mean, Tone::blue, 1);
      svg.text(x + bar + 1, base + 18, fmt::format("e = {}", e), Tone::soft, Anchor::middle, 12);
      value += static_cast<double>(experts) * router.shares[e] * router.means[e];
    }
    svg.line(left, base, left + width, base);
    const double even = base - scale / static_cast<double>(experts);
    for (double x = left; x < left + width - 4; x += 10) svg.mark(x, even, 6, 1.5, Tone::accent, 0);
    svg.code(left + width, even + 4, fmt::format("1/{}", experts), Tone::accent, Anchor::start, 12);
    svg.code(left, base + 56, fmt::format("{:.3f}", value), Tone::ink, Anchor::start, 20);
    svg.text(left, base + 78, router.remark, Tone::soft, Anchor::start, 12);
    left += width + 46;
  }
  svg.box(24, 304, 12, 12, Tone::orange, 1);
  svg.text(42, 315, "share of the pairs", Tone::ink, Anchor::start, 13);
  svg.box(190, 304, 12, 12, Tone::blue, 1);
  svg.text(208, 315, "mean probability", Tone::ink, Anchor::start, 13);
  svg.text(350, 315, "number: loss / alpha", Tone::ink, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/043_aux_loss/three-values.svg", draw);

}  // namespace
}  // namespace figures
