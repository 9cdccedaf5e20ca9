// Tokens and slots with an arrow for each pair: rows go out, gradients come back.
#include <fmt/core.h>

#include "figure.h"

namespace figures {
namespace {

constexpr double kTokenX = 24, kTokenWidth = 210, kSlotX = 420, kSlotWidth = 200, kHeight = 34;

double token_y(std::size_t t) {
  return 74 + 88 * static_cast<double>(t);
}

double slot_y(std::size_t s) {
  return 52 + 44 * static_cast<double>(s);
}

std::string row_of(const std::vector<double>& values, std::size_t row, bool fractions) {
  const double a = values[2 * row], b = values[2 * row + 1];
  return fractions ? fmt::format("[{:.3f} {:.3f}]", a, b)
                   : fmt::format("[{} {}]", print(a), print(b));
}

std::string dashes_to_minus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) {
    text.replace(at, 1, "\u2212");
  }
  return text;
}

void draw_pairs(Svg& svg, const MicroBatch& batch, const std::vector<double>& tokens,
                const std::vector<double>& slots, bool back) {
  const std::vector<double>&pairs = batch.array("pair_of_slot"), experts = batch.array("experts");
  const std::size_t K = 2;
  for (std::size_t t = 0; t < tokens.size() / 2; ++t) {
    svg.box(kTokenX, token_y(t), kTokenWidth, kHeight, Tone::soft);
    svg.text(kTokenX + 12, token_y(t) + 22, fmt::format("token {}", t));
    svg.code(kTokenX + kTokenWidth - 10, token_y(t) + 22, dashes_to_minus(row_of(tokens, t, back)),
             Tone::ink, Anchor::end, 13);
  }
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    const auto pair = static_cast<std::size_t>(pairs[s]);
    const auto expert = static_cast<std::size_t>(experts[pair]);
    const Tone tone = tone_of(expert);
    const double y = slot_y(s), from = token_y(pair / K) + 8 + 18 * static_cast<double>(pair % K);
    svg.box(kSlotX, y, kSlotWidth, kHeight, tone);
    svg.text(kSlotX + 12, y + 22, fmt::format("slot {}", s));
    svg.code(kSlotX + kSlotWidth - 10, y + 22, dashes_to_minus(row_of(slots, s, back)), Tone::ink,
             Anchor::end, 13);
    svg.text(kSlotX + kSlotWidth + 12, y + 22, fmt::format("expert {}", expert), tone);
    const double left = kTokenX + kTokenWidth + 3, right = kSlotX - 3, middle = y + kHeight / 2;
    if (back) {
      svg.arrow(right, middle, left, from, tone);
    } else {
      svg.arrow(left, from, right, middle, tone);
    }
  }
}

Svg draw_out(const MicroBatch& batch) {
  Svg svg(720, 352, "Rows go out to their slots",
          "Three token rows on the left, six slots grouped by expert on the right; from each token "
          "two arrows go to two slots.");
  svg.heading(kTokenX, 30, "X: a row a token");
  svg.heading(kSlotX, 30, "Xs: a row a slot");
  draw_pairs(svg, batch, batch.array("X"), batch.array("Xs"), false);
  svg.text(kTokenX, 338, "Slot 5 holds pair 3, token 1's second choice: it fetches row 3 / 2 = 1.",
           Tone::accent);
  return svg;
}

Svg draw_back(const MicroBatch& batch) {
  const std::vector<double>&dXs = batch.array("dXs"), slots = batch.array("slot_of_pair");
  std::vector<double> dX(batch.array("X").size());
  for (std::size_t p = 0; p < slots.size(); ++p) {
    for (std::size_t d = 0; d < 2; ++d) {
      dX[p / 2 * 2 + d] += dXs[2 * static_cast<std::size_t>(slots[p]) + d];
    }
  }
  Svg svg(720, 352, "Gradients come back from their slots",
          "The same tokens and slots with every arrow turned round: two arrows end at each token, "
          "and its row is the sum of what they bring.");
  svg.heading(kTokenX, 30, "dX: sums of two rows");
  svg.heading(kSlotX, 30, "dXs: a row a slot");
  draw_pairs(svg, batch, dX, dXs, true);
  svg.text(kTokenX, 338, "Token 0 owns its sum: it fetches slots 3 and 0, and writes once.",
           Tone::accent);
  return svg;
}

const Figure out("lessons/024_gather_tokens/arrows-out.svg", draw_out);
const Figure back("lessons/025_gather_tokens_backward/arrows-back.svg", draw_back);

}  // namespace
}  // namespace figures
