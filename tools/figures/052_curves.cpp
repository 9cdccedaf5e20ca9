// What alpha does, over several seeds: the task's loss on the way, and how uneven the load is at
// the end.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "figure.h"

namespace figures {
namespace {

constexpr double kTop = 46, kTall = 190, kBase = kTop + kTall;

// The loss halves many times: an axis of factors, 4 down to 1/16.
double at_loss(double mse) {
  return kTop + kTall * (2 - std::log2(mse)) / 6;
}

Svg draw(const MicroBatch&) {
  const std::string path = FIGURES_ROOT "/docs/evidence/alpha.json";  // by tools/alpha-study
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  const nlohmann::json study = nlohmann::json::parse(in);
  const double steps = study.at("steps"), every = study.at("every");

  Svg svg(
      720, 292, "Five seeds, four weights of the auxiliary loss",
      "Left: the task's loss over 300 steps for five seeds, without the auxiliary loss and with "
      "alpha 0.2; the curves fall alike and the second kind ends a little higher. Right: the "
      "largest share of an expert at the end; with a larger alpha it comes down towards one "
      "eighth.");
  const double left = 52, width = 300;
  svg.heading(left, 24, "Loss of the task");
  svg.line(left, kTop, left, kBase);
  svg.line(left, kBase, left + width, kBase);
  for (const double mse : {4.0, 1.0, 0.25, 0.0625}) {
    svg.line(left - 3, at_loss(mse), left, at_loss(mse));
    svg.text(left - 8, at_loss(mse) + 4, print(mse), Tone::soft, Anchor::end, 12);
  }
  const auto at_step = [&](double step) { return left + width * step / steps; };
  for (const double step : {0.0, 100.0, 200.0, 300.0})
    svg.text(at_step(step), kBase + 18, print(step), Tone::soft, Anchor::middle, 12);
  svg.text(left + width, kBase + 36, "step", Tone::soft, Anchor::end, 12);

  std::map<double, std::vector<double>> largest;  // share, by alpha
  for (const nlohmann::json& run : study.at("runs")) {
    const double alpha = run.at("alpha");
    const auto load = run.at("load_after").get<std::vector<double>>();
    largest[alpha].push_back(*std::max_element(load.begin(), load.end()));
    if (alpha != 0 && alpha != 0.2) continue;
    const auto mse = run.at("mse").get<std::vector<double>>();
    for (std::size_t i = 1; i < mse.size(); ++i) {
      const double from = every * static_cast<double>(i - 1);
      const double to = std::min(every * static_cast<double>(i), steps);
      svg.line(at_step(from), at_loss(mse[i - 1]), at_step(to), at_loss(mse[i]),
               alpha == 0 ? Tone::orange : Tone::blue);
    }
    if (alpha != 0) svg.mark(at_step(steps) - 3, at_loss(mse.back()) - 3, 6, 6, Tone::blue, 3);
  }
  svg.text(left + 150, 66, "alpha = 0", Tone::orange, Anchor::start, 13);
  svg.text(left + 150, 84, "alpha = 0.2 (ends in a dot)", Tone::blue, Anchor::start, 13);

  const double right = 430, gap = 66;
  const auto at_share = [&](double share) { return kBase - kTall * share / 0.6; };
  svg.heading(right, 24, "Largest share of an expert");
  svg.line(right, kTop, right, kBase);
  svg.line(right, kBase, right + 4 * gap, kBase);
  for (const double share : {0.2, 0.4, 0.6}) {
    svg.line(right - 3, at_share(share), right, at_share(share));
    svg.text(right - 8, at_share(share) + 4, print(share), Tone::soft, Anchor::end, 12);
  }
  svg.line(right, at_share(0.125), right + 4 * gap, at_share(0.125), Tone::soft);
  svg.text(right + 4 * gap, at_share(0.125) + 16, "1/8: even", Tone::soft, Anchor::end, 12);
  double column = right + gap / 2;
  for (const auto& [alpha, shares] : largest) {
    double x = column - 14;
    for (const double share : shares) {
      svg.mark(x - 3, at_share(share) - 3, 6, 6, alpha == 0 ? Tone::orange : Tone::blue, 3);
      x += 7;
    }
    svg.text(column, kBase + 18, print(alpha), Tone::soft, Anchor::middle, 12);
    column += gap;
  }
  svg.text(right + 4 * gap, kBase + 36, "alpha", Tone::soft, Anchor::end, 12);
  return svg;
}

const Figure figure("lessons/052_train_loop/curves.svg", draw);

}  // namespace
}  // namespace figures
