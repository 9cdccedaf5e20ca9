// The micro-batch's gradient on the probabilities, one row for all tokens, and what the softmax
// makes of it: which logits a step of descent raises.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&shares = batch.array("fractions"), &dprobs = batch.array("dprobs"),
        &dlogits = batch.array("dlogits_aux");
  const std::size_t experts = shares.size(), tokens = dprobs.size() / experts;

  Svg svg(720, 330, "One row for every token",
          "On top the four shares. Below, three tokens by four experts: the gradient on the "
          "probabilities is the same row for each token, zero for expert 1, which nobody chose. "
          "Through the softmax each token gets a row of its own; experts 1 and 3 have no positive "
          "entry, so descent does not lower them.");
  const double width = 68, pitch = 76, high = 34, left = 70, right = 400;
  const auto x_of = [&](double from, std::size_t e) {
    return from + pitch * static_cast<double>(e);
  };
  const auto cell = [&](double x, double y, const std::string& words, Tone tone) {
    svg.box(x, y, width, high, tone);
    svg.code(x + width / 2, y + 22, words, Tone::ink, Anchor::middle);
  };
  for (std::size_t e = 0; e < experts; ++e) {
    const std::string name = fmt::format("e = {}", e);
    svg.text(x_of(left, e) + width / 2, 28, name, Tone::soft, Anchor::middle, 12);
    svg.text(x_of(right, e) + width / 2, 132, name, Tone::soft, Anchor::middle, 12);
    cell(x_of(left, e), 38, fmt::format("{:.3f}", shares[e]), tone_of(e));
    svg.arrow(x_of(left, e) + width / 2, 76, x_of(left, e) + width / 2, 136, tone_of(e));
  }
  svg.text(16, 60, "f");
  svg.text(right, 60, "times alpha E / T, then only writing", Tone::soft, Anchor::start, 13);
  svg.text(right, 100, "through the softmax, in thousandths:", Tone::ink, Anchor::start, 13);
  for (std::size_t t = 0; t < tokens; ++t) {
    const double y = 142 + (high + 8) * static_cast<double>(t);
    svg.text(16, y + 22, fmt::format("t = {}", t), Tone::soft, Anchor::start, 12);
    for (std::size_t e = 0; e < experts; ++e) {
      const double value = 1000 * dlogits[t * experts + e];
      const long rounded = std::lround(value);
      cell(x_of(left, e), y, fmt::format("{:.4f}", dprobs[t * experts + e]), tone_of(e));
      const Tone tone = rounded == 0 ? Tone::idle : rounded > 0 ? Tone::orange : Tone::green;
      cell(x_of(right, e), y, print(static_cast<double>(rounded)), tone);
    }
  }
  svg.text(left, 294, "dprobs: the same row for every token", Tone::ink, Anchor::start, 13);
  svg.text(right, 294, "negative: descent raises this logit", Tone::green, Anchor::start, 13);
  svg.text(right, 314, "positive: descent lowers it", Tone::orange, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/044_aux_loss_backward/same-row.svg", draw);

}  // namespace
}  // namespace figures
