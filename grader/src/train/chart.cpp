#include "train/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;

constexpr int kRows = 10;
constexpr int kLabel = 10;  // columns left of the curve
constexpr std::size_t kExpertsShown = 16;

bool shown(double loss) {
  return std::isfinite(loss) && loss > 0;
}

// The losses of each column: the mean of the logarithms of its steps; NaN where there is none.
std::vector<double> by_column(const std::vector<double>& losses, int columns, std::size_t steps) {
  std::vector<double> sum(static_cast<std::size_t>(columns));
  std::vector<int> count(sum.size());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (!shown(losses[i])) continue;
    const std::size_t column =
        std::min(i * sum.size() / std::max<std::size_t>(steps, 1), sum.size() - 1);
    sum[column] += std::log10(losses[i]);
    ++count[column];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = count[i] == 0 ? std::nan("") : sum[i] / count[i];
  }
  return sum;
}

int row_of(double value, double low, double high) {
  const double part = (high - value) / (high - low);
  return std::clamp(static_cast<int>(std::lround(part * (kRows - 1))), 0, kRows - 1);
}

}  // namespace

std::vector<std::string> loss_chart(const Training& training, const Training* reference,
                                    int columns, const terminal::Terminal& out) {
  const int width = std::clamp(columns - kLabel - 1, 10, 80);
  const std::size_t steps = std::max(training.mse.size(), reference ? reference->mse.size() : 0);
  const std::vector<double> own = by_column(training.mse, width, steps);
  const std::vector<double> other =
      by_column(reference != nullptr ? reference->mse : std::vector<double>{}, width, steps);
  double low = INFINITY;
  double high = -INFINITY;
  for (const auto* curve : {&own, &other}) {
    for (const double value : *curve) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) return {"no loss was a number"};
  if (high - low < 0.1) high = low + 0.1;

  const std::string dot = out.can().unicode ? "•" : "*";
  const std::string ring = out.can().unicode ? "·" : ".";
  std::vector<std::string> lines;
  for (int row = 0; row < kRows; ++row) {
    const double value = high - (high - low) * row / (kRows - 1);
    const bool labelled = row % 3 == 0;
    std::string line = terminal::pad_left(
        labelled ? fmt::format("{:.3g}", std::pow(10.0, value)) : "", kLabel - 2);
    line += out.can().unicode ? " │" : " |";
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!std::isnan(own[i]) && row_of(own[i], low, high) == row) {
        line += out.style(Style::accent, dot);
      } else if (!std::isnan(other[i]) && row_of(other[i], low, high) == row) {
        line += out.style(Style::dim, ring);
      } else {
        line += ' ';
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  const std::string last = fmt::format("step {}", steps);
  lines.push_back(std::string(kLabel, ' ') + "0" +
                  terminal::pad_left(last, std::max(width - 1, 0)));
  return lines;
}

std::vector<std::string> load_chart(const Training& training, int columns,
                                    const terminal::Terminal& out) {
  const std::vector<double>& before = training.load_before;
  const std::vector<double>& after = training.load_after;
  std::vector<std::size_t> order(std::min(before.size(), after.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t all = order.size();
  if (all > kExpertsShown) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return after[a] > after[b]; });
    // Half from either end.
    order.erase(order.begin() + kExpertsShown / 2, order.end() - kExpertsShown / 2);
  }
  const int bar = std::clamp((columns - 32) / 2, 4, 24);
  double most = 0;
  for (const std::size_t e : order) most = std::max({most, before[e], after[e]});
  std::vector<std::string> lines;
  lines.push_back(terminal::pad_right("expert", 8) + terminal::pad_right("  before", bar + 9) +
                  "  after");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t e = order[i];
    if (all > kExpertsShown && i == kExpertsShown / 2) {
      lines.push_back(fmt::format("  … {} more …", all - kExpertsShown));
    }
    const auto part = [&](double share) {
      return fmt::format("{:5.1f} % {}", 100 * share,
                         terminal::pad_right(out.bar(most > 0 ? share / most : 0, bar), bar));
    };
    lines.push_back(terminal::pad_right(fmt::format("  {}", e), 8) + part(before[e]) + "  " +
                    part(after[e]));
  }
  return lines;
}

}  // namespace grade
