#include "train/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/markup.h"

namespace grade {
namespace {

constexpr double kWidth = 720, kCurveHeight = 260, kLoadHeight = 150;
constexpr double kLeft = 60, kRight = 20, kTop = 40, kBottom = 36;

struct Scale {
  double low = INFINITY, high = -INFINITY;

  void add(const std::vector<double>& losses) {
    for (const double loss : losses) {
      if (!std::isfinite(loss) || loss <= 0) continue;
      low = std::min(low, std::log10(loss));
      high = std::max(high, std::log10(loss));
    }
  }
  void settle() {
    if (!(low <= high)) low = high = 0;
    low = std::floor(low * 4) / 4;
    high = std::ceil(high * 4) / 4;
    if (high - low < 0.25) high = low + 0.25;
  }
  double y(double loss) const {
    return kTop + (kCurveHeight - kTop - kBottom) * (high - std::log10(loss)) / (high - low);
  }
};

double x_of(double step, std::size_t steps) {
  return kLeft + (kWidth - kLeft - kRight) * step /
                     static_cast<double>(std::max<std::size_t>(steps, 2) - 1);
}

// At most this many points: the file stays small however long the run.
constexpr std::size_t kPoints = 600;

std::string curve(const std::vector<double>& losses, std::size_t steps, const Scale& scale,
                  const char* style) {
  std::string points;
  const std::size_t stride = std::max<std::size_t>(1, losses.size() / kPoints);
  for (std::size_t i = 0; i < losses.size(); i += stride) {
    if (!std::isfinite(losses[i]) || losses[i] <= 0) continue;
    points +=
        fmt::format("{:.1f},{:.1f} ", x_of(static_cast<double>(i), steps), scale.y(losses[i]));
  }
  return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, points);
}

std::string axis(const Scale& scale, std::size_t steps) {
  std::string text;
  for (double value = scale.low; value <= scale.high + 1e-9;
       value += scale.high - scale.low > 1.5 ? 0.5 : 0.25) {
    const double loss = std::pow(10.0, value);
    text += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{:.3g}</text>\n",
        kLeft, kWidth - kRight, scale.y(loss), scale.y(loss), kLeft - 6, scale.y(loss) + 4, loss);
  }
  text += fmt::format(
      "<text x=\"{}\" y=\"{}\">0</text><text class=\"end\" x=\"{}\" y=\"{}\">step {}</text>\n",
      kLeft, kCurveHeight - 14, kWidth - kRight, kCurveHeight - 14, steps);
  return text;
}

std::string load(const Training& training) {
  const std::size_t experts = std::min(training.load_before.size(), training.load_after.size());
  if (experts == 0) return {};
  double most = 0;
  for (std::size_t e = 0; e < experts; ++e) {
    most = std::max({most, training.load_before[e], training.load_after[e]});
  }
  const double bottom = kCurveHeight + kLoadHeight - kBottom;
  const double height = kLoadHeight - kBottom - 30;
  const double slot = (kWidth - kLeft - kRight) / static_cast<double>(experts);
  std::string text = fmt::format(
      "<text x=\"{}\" y=\"{}\">load of the experts: before (outline), after (filled); even would "
      "be "
      "{:.1f} %</text>\n",
      kLeft, kCurveHeight + 14, 100.0 / static_cast<double>(experts));
  const auto bar = [&](double x, double share, const char* style) {
    const double tall = most > 0 ? height * share / most : 0;
    return fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"><title>{:.1f} "
        "%</title></rect>",
        style, x, bottom - tall, slot * 0.36, tall, 100 * share);
  };
  for (std::size_t e = 0; e < experts; ++e) {
    const double x = kLeft + slot * static_cast<double>(e);
    text += bar(x + slot * 0.08, training.load_before[e], "before");
    text += bar(x + slot * 0.5, training.load_after[e], "after");
    if (experts <= 32) {
      text += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                          x + slot * 0.47, bottom + 16, e);
    }
  }
  return text;
}

}  // namespace

std::string training_svg(const Training& training, const Training* reference,
                         const std::string& title) {
  const std::size_t steps =
      std::max(training.mse.size(), reference != nullptr ? reference->mse.size() : 0);
  Scale scale;
  scale.add(training.mse);
  if (reference != nullptr) scale.add(reference->mse);
  scale.settle();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"training\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" "
      "height=\"{1}\" "
      "role=\"img\" aria-label=\"{2}\">\n",
      kWidth, kCurveHeight + kLoadHeight, escaped(title));
  svg +=
      "<style>\n"
      "svg { background: #fff; } text { font: 13px sans-serif; fill: #222; }\n"
      ".end { text-anchor: end; } .middle { text-anchor: middle; } .title { font-weight: bold; }\n"
      ".grid { stroke: #ddd; } polyline { fill: none; stroke-width: 2; }\n"
      ".own { stroke: #0b62c4; } .reference { stroke: #999; stroke-dasharray: 5 4; }\n"
      ".before { fill: none; stroke: #999; } .after { fill: #0b62c4; }\n"
      "@media (prefers-color-scheme: dark) { svg { background: #161616; } text { fill: #ddd; }\n"
      "  .grid { stroke: #333; } .own { stroke: #6cb0ff; } .after { fill: #6cb0ff; } }\n"
      "</style>\n";
  svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"20\">{}</text>\n", kLeft, escaped(title));
  svg += axis(scale, steps);
  if (reference != nullptr) svg += curve(reference->mse, steps, scale, "reference");
  svg += curve(training.mse, steps, scale, "own");
  if (reference != nullptr) {
    svg += fmt::format(
        "<text class=\"end\" x=\"{}\" y=\"20\">line: yours; dashes: the reference</text>\n",
        kWidth - kRight);
  }
  svg += load(training);
  return svg + "</svg>\n";
}

}  // namespace grade
