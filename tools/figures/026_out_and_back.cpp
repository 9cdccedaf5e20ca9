// Tokens and slots of the micro-batch: the combine forward (026), and its two gradients (027, 028).
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

// 5/3, -1/9, 2: the micro-batch's numbers are simple fractions.
std::string fraction(double value) {
  for (int below = 1; below <= 300; ++below) {
    const double above = std::round(value * below);
    if (std::abs(above / below - value) > 1e-9) continue;
    return below == 1 ? print(above) : fmt::format("{}/{}", print(above), below);
  }
  return fmt::format("{:.4f}", value);
}

std::string row(const std::vector<double>& values, std::size_t r) {
  return fmt::format("[{}, {}]", fraction(values[2 * r]), fraction(values[2 * r + 1]));
}

enum class Way { combine, to_experts, to_gates };

constexpr double kLeft = 104, kStep = 102, kWide = 94, kHigh = 46, kTop = 34, kLow = 224;

double slot_middle(std::size_t s) {
  return kLeft + kStep * static_cast<double>(s) + kWide / 2;
}
double token_middle(std::size_t t) {
  return kLeft + kStep * (2 * static_cast<double>(t) + 0.5) + kWide / 2;
}

Svg draw(const MicroBatch& batch, Way way, const std::string& title,
         const std::string& description) {
  Svg svg(730, way == Way::to_gates ? 366 : 306, title, description);
  const auto& experts = batch.array("experts");
  const auto& gates = batch.array("gates");
  const auto& slots = batch.array("slot_of_pair");
  const auto& pairs = batch.array("pair_of_slot");
  const std::string upper = way == Way::combine ? "out" : "dOut";
  const std::string lower = way == Way::to_experts ? "dYs" : "Ys";
  const std::size_t T = batch.array("out").size() / 2, K = pairs.size() / T;

  svg.heading(18, kTop + 28, upper);
  svg.heading(18, kLow + 28, lower);
  for (std::size_t t = 0; t < T; ++t) {
    const double x = token_middle(t);
    svg.box(x - 66, kTop, 132, kHigh, Tone::soft);
    svg.text(x, kTop + 19, fmt::format("token {}", t), Tone::ink, Anchor::middle, 12);
    svg.code(x, kTop + 37, row(batch.array(upper), t), Tone::ink, Anchor::middle, 13);
  }
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    const std::size_t p = static_cast<std::size_t>(pairs[s]);
    const double x = slot_middle(s);
    svg.box(x - kWide / 2, kLow, kWide, kHigh, tone_of(static_cast<std::size_t>(experts[p])));
    svg.text(x, kLow + 19, fmt::format("slot {}, expert {}", s, print(experts[p])), Tone::ink,
             Anchor::middle, 11);
    svg.code(x, kLow + 37, row(batch.array(lower), s), Tone::ink, Anchor::middle,
             way == Way::to_experts ? 11 : 13);
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::size_t t = p / K, j = p % K;
    const double below = slot_middle(static_cast<std::size_t>(slots[p]));
    const double above = token_middle(t) + 44 * (static_cast<double>(j) - 0.5);
    const double high = kTop + kHigh + 4, low = kLow - 4;
    if (way == Way::to_experts)
      svg.arrow(above, high, below, low, Tone::soft);
    else
      svg.arrow(below, low, above, high, Tone::soft);
    // The gate of the pair, on the outer side of its arrow's lower end.
    const double part = 0.82, side = above < below ? 10 : -10;
    svg.code(above + (below - above) * part + side, high + (low - high) * part + 4,
             way == Way::to_gates ? fmt::format("j={}", j) : fraction(gates[p]), Tone::accent,
             above < below ? Anchor::start : Anchor::end, 13);
  }
  if (way == Way::to_gates) {
    svg.heading(18, 330, "dgates");
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double x = token_middle(p / K) + 66 * (static_cast<double>(p % K) - 0.5);
      svg.box(x - 30, 308, 60, 34, Tone::accent);
      svg.code(x, 330, fraction(batch.array("dgates")[p]), Tone::ink, Anchor::middle, 13);
    }
  }
  return svg;
}

Svg draw_combine(const MicroBatch& batch) {
  return draw(batch, Way::combine, "Rows come back and are mixed",
              "Six rows of Ys in slot order; arrows lead each to its token, with its gate; each "
              "token adds up its two.");
}
Svg draw_to_experts(const MicroBatch& batch) {
  return draw(batch, Way::to_experts, "The gradient goes out along the same arrows",
              "Each token's row of dOut goes to its two slots, along the arrows of lesson 026 "
              "turned round, each times its gate.");
}
Svg draw_to_gates(const MicroBatch& batch) {
  return draw(batch, Way::to_gates, "One row of dOut against K rows of Ys",
              "Each token's row of dOut meets its two rows of Ys; each meeting is a dot product, "
              "the gradient of one gate.");
}

const Figure combine("lessons/026_combine_tokens/combine.svg", draw_combine);
const Figure to_experts("lessons/027_combine_backward_experts/out-and-back.svg", draw_to_experts);
const Figure to_gates("lessons/028_combine_backward_gates/dots.svg", draw_to_gates);

}  // namespace
}  // namespace figures
