// The micro-batch's probabilities under a block that is folded over whole rows: elements, partial
// sums, the barrier, the owners.
#include <fmt/core.h>

#include <cmath>

#include "figure.h"

namespace figures {
namespace {

constexpr std::size_t kThreads = 10, kUnit = 60;  // a block for the drawing; shares of 1/60

Svg draw(const MicroBatch& batch) {
  const std::vector<double>&probs = batch.array("probs"), &means = batch.array("mean_probs");
  const std::size_t experts = means.size(), tokens = probs.size() / experts;
  const std::size_t stride = kThreads / experts * experts;

  Svg svg(720, 420, "A block folded over whole rows",
          "Twelve probabilities, three rows of four, lie in a row. Ten threads: eight of them take "
          "one element each, then four take a second one, always of the same expert; two stay "
          "idle. Eight partial sums lie in shared memory. After the barrier threads 0 to 3 add up "
          "two each and divide by the number of tokens.");
  const double cell = 48, left = 116, high = 32;
  const auto x_of = [&](std::size_t i) { return left + cell * static_cast<double>(i); };
  const auto middle = [&](std::size_t i) { return x_of(i) + (cell - 6) / 2; };
  const auto number = [&](std::size_t i, double y, const std::string& words, Tone tone) {
    svg.box(x_of(i), y, cell - 6, high, tone);
    svg.code(middle(i), y + 21, words, Tone::ink, Anchor::middle);
  };
  const auto sixtieths = [](double value) {
    return fmt::format("{}", std::lround(value * static_cast<double>(kUnit)));
  };

  for (std::size_t t = 0; t < tokens; ++t) {
    const double from = x_of(t * experts), to = x_of((t + 1) * experts) - 6;
    svg.text((from + to) / 2, 24, fmt::format("token {}", t), Tone::soft, Anchor::middle, 12);
    svg.line(from, 30, to, 30);
  }
  svg.text(16, 60, "probs", Tone::ink);
  svg.text(16, 76, "in 1/60", Tone::soft, Anchor::start, 12);
  svg.text(16, 104, "thread", Tone::ink);
  std::vector<double> partial(stride);
  for (std::size_t i = 0; i < probs.size(); ++i) {
    const std::size_t thread = i % stride;
    number(i, 40, sixtieths(probs[i]), tone_of(i % experts));
    svg.code(middle(i), 104, fmt::format("{}", thread), i < stride ? Tone::ink : Tone::accent,
             Anchor::middle);
    partial[thread] += probs[i];
  }
  svg.text(704, 126, "second round: + 8, the same expert", Tone::accent, Anchor::end, 12);

  svg.text(16, 168, "partial");
  for (std::size_t i = 0; i < stride; ++i)
    number(i, 148, sixtieths(partial[i]), tone_of(i % experts));
  for (std::size_t i = stride; i < kThreads; ++i) {
    svg.ghost(x_of(i), 148, cell - 6, high);
    svg.text(middle(i), 168, "idle", Tone::idle, Anchor::middle, 12);
  }
  for (std::size_t i = 0; i < kThreads; ++i)
    svg.code(middle(i), 198, fmt::format("{}", i), i < stride ? Tone::soft : Tone::idle,
             Anchor::middle, 12);

  svg.line(16, 216, 704, 216, Tone::accent);
  svg.code(704, 236, "__syncthreads()", Tone::accent, Anchor::end, 13);

  svg.text(16, 282, "total");
  svg.text(16, 334, "/ 3 tokens");
  svg.text(16, 386, "mean");
  for (std::size_t e = 0; e < experts; ++e) {
    double total = 0;
    for (std::size_t i = e; i < stride; i += experts) {
      svg.line(middle(i), 220, middle(e) + (i == e ? 0 : 8), 258, tone_of(e));
      total += partial[i];
    }
    number(e, 262, sixtieths(total), tone_of(e));
    svg.code(middle(e), 334, fmt::format("/{}", kUnit * tokens), Tone::soft, Anchor::middle, 13);
    number(e, 366, fmt::format("{:.3f}", means[e]).substr(1), tone_of(e));
  }
  svg.text(x_of(experts) + 10, 282, "by threads 0 to 3, an expert each", Tone::soft, Anchor::start,
           13);
  svg.text(x_of(experts) + 10, 386, "sum 1", Tone::soft, Anchor::start, 13);
  return svg;
}

const Figure figure("lessons/042_mean_probs/fold.svg", draw);

}  // namespace
}  // namespace figures
