// One logit of the micro-batch is moved: a count jumps where the choice changes, the mean
// probability glides.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"
#include "plot.h"

namespace figures {
namespace {

constexpr std::size_t kExperts = 4, kMoved = 1;

Svg draw(const MicroBatch& batch) {
  const std::vector<double>& logits = batch.array("logits");
  const std::vector<double>& probs = batch.array("probs");
  // Token 0's logits in units of ln 2, so that 2 to their power is their exponential.
  const auto exponential = [&](std::size_t e) { return std::exp(logits[e]); };
  double others = 0, elsewhere = 0;
  for (std::size_t e = 0; e < kExperts; ++e)
    if (e != kMoved) others += exponential(e);
  for (std::size_t t = 1; t < 3; ++t) elsewhere += probs[t * kExperts + kMoved];
  const auto mean = [&](double x) {
    return (std::exp2(x) / (others + std::exp2(x)) + elsewhere) / 3;
  };

  Svg svg(720, 330, "A count jumps, a mean probability glides",
          "The logit of expert 1 for token 0 is moved from -3 to 3 times ln 2. The share of pairs "
          "that chose expert 1 is 0 up to the logit of expert 0, then 1/6: two flat pieces and a "
          "jump. Its mean probability rises without a break.");
  Plot plot(svg, 70, 30, 440, 230, {-3, 3}, {0, 0.32});
  svg.line(70, plot.at_y(0), 510, plot.at_y(0));
  svg.line(70, 30, 70, plot.at_y(0));
  for (const double x : {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0}) {
    svg.line(plot.at_x(x), plot.at_y(0), plot.at_x(x), plot.at_y(0) + 5);
    svg.text(plot.at_x(x), plot.at_y(0) + 20, print(x), Tone::soft, Anchor::middle, 12);
  }
  for (const double y : {0.1, 0.2, 0.3}) {
    svg.line(65, plot.at_y(y), 70, plot.at_y(y));
    svg.text(60, plot.at_y(y) + 4, print(y), Tone::soft, Anchor::end, 12);
  }
  svg.text(290, plot.at_y(0) + 44, "logit of expert 1 for token 0, in ln 2", Tone::ink,
           Anchor::middle, 13);

  // The pair goes to expert 1 once its logit is above expert 0's: a tie stays with the lower index.
  const double tie = logits[0] / std::log(2.0), pairs = 6;
  for (const double shift : {-1.0, 0.0, 1.0}) {
    svg.line(plot.at_x(-3), plot.at_y(0) + shift, plot.at_x(tie), plot.at_y(0) + shift,
             Tone::orange);
    svg.line(plot.at_x(tie), plot.at_y(1 / pairs) + shift, plot.at_x(3),
             plot.at_y(1 / pairs) + shift, Tone::orange);
  }
  for (double y = plot.at_y(1 / pairs) + 6; y < plot.at_y(0) - 4; y += 9)
    svg.mark(plot.at_x(tie) - 1, y, 2, 4, Tone::orange, 0);
  plot.point(tie, 0, Tone::orange);
  plot.curve(mean, {-3, 3}, 48, Tone::blue);
  plot.point(-1, mean(-1), Tone::blue);

  svg.heading(530, 60, "mean probability");
  svg.text(530, 82, "glides: it has a slope", Tone::blue, Anchor::start, 13);
  svg.text(530, 102, fmt::format("{:.3f} in the micro-batch", mean(-1)), Tone::soft, Anchor::start,
           13);
  svg.heading(530, 154, "share of the pairs");
  svg.text(530, 176, "0, then 1/6: slope 0,", Tone::orange, Anchor::start, 13);
  svg.text(530, 196, "and a jump in between", Tone::orange, Anchor::start, 13);
  svg.text(plot.at_x(tie) + 8, plot.at_y(0.03), "here it overtakes expert 0", Tone::soft,
           Anchor::start, 12);
  return svg;
}

const Figure figure("lessons/041_dispatch_fractions/jump-and-glide.svg", draw);

}  // namespace
}  // namespace figures
