#include "site/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "site/html.h"
#include "system/clock.h"
#include "terminal/text.h"

namespace grade::site {
namespace {

constexpr double kWidth = 720, kHeight = 220;
constexpr double kLeft = 54, kRight = 12, kTop = 12, kBottom = 30;

std::string opened(const std::string& label) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     kWidth, kHeight, escaped(label));
}

double y_of(double value, double most) {
  return kTop + (kHeight - kTop - kBottom) * (1 - value / most);
}

// Lines at a few round values from 0 to `most`.
std::string grid(int most) {
  const int step = std::max(1, static_cast<int>(std::ceil(most / 4.0)));
  std::string svg;
  for (int value = 0; value <= most; value += step) {
    const double y = y_of(value, most);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text "
        "class=\"end\" x=\"{3}\" y=\"{4:.1f}\">{5}</text>\n",
        kLeft, kWidth - kRight, y, kLeft - 8, y + 4, value);
  }
  return svg;
}

std::string foot(double x, const char* anchor, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", anchor, x, kHeight - 8,
                     text);
}

}  // namespace

std::string xp_chart(const std::vector<XpPoint>& points, int total, std::int64_t now) {
  if (points.empty()) return {};
  const std::int64_t first = points.front().time;
  const auto span = static_cast<double>(std::max<std::int64_t>(now - first, 1));
  const auto x_of = [&](std::int64_t time) {
    return kLeft + (kWidth - kLeft - kRight) * static_cast<double>(time - first) / span;
  };
  const double zero = y_of(0, total);
  std::string line = fmt::format("M{:.1f} {:.1f}", kLeft, zero);
  for (const XpPoint& each : points) {
    line += fmt::format("H{:.1f}V{:.1f}", x_of(each.time), y_of(each.xp, total));
  }
  line += fmt::format("H{:.1f}", x_of(now));
  return opened(fmt::format("{} of {} XP, earned from {} to {}", points.back().xp, total,
                            local_day(first), local_day(now))) +
         grid(total) +
         fmt::format("<path class=\"area\" d=\"{}V{:.1f}Z\"/><path class=\"line\" d=\"{}\"/>\n",
                     line, zero, line) +
         foot(kLeft, "start", local_day(first)) + foot(kWidth - kRight, "end", local_day(now)) +
         "</svg>\n";
}

std::string days_chart(const std::vector<DayBar>& days) {
  int most = 1;
  int all = 0;
  for (const DayBar& each : days) {
    most = std::max(most, each.attempts);
    all += each.attempts;
  }
  const double slot = (kWidth - kLeft - kRight) / static_cast<double>(days.size());
  const double width = std::min(slot * 0.7, 34.0);
  std::string bars;
  for (std::size_t i = 0; i < days.size(); ++i) {
    const double x = kLeft + slot * (static_cast<double>(i) + 0.5) - width / 2;
    const auto piece = [&](int count, const char* style) {
      const double top = y_of(count, most);
      if (count > 0) {
        bars += fmt::format(
            "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
            "<title>{}: {}, {} passed</title></rect>",
            style, x, top, width, y_of(0, most) - top, days[i].day,
            terminal::counted(days[i].attempts, "attempt", "attempts"), days[i].passed);
      }
    };
    piece(days[i].attempts, "tries");
    piece(std::min(days[i].passed, days[i].attempts), "passes");
  }
  return opened(fmt::format("{} in the last {}", terminal::counted(all, "attempt", "attempts"),
                            terminal::counted(std::ssize(days), "day", "days"))) +
         grid(most) + bars + "\n" + foot(kLeft, "start", days.front().day) +
         foot(kWidth - kRight, "end", days.back().day) + "</svg>\n";
}

}  // namespace grade::site
