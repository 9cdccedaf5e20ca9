// Two small charts of the progress page, as SVG that the theme colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grade::site {

struct XpPoint {
  std::int64_t time = 0;  // seconds since 1970
  int xp = 0;             // after it
};

// A staircase from the first point to `now`. `total` is the height of the course.
std::string xp_chart(const std::vector<XpPoint>& points, int total, std::int64_t now);

struct DayBar {
  std::string day;  // 2025-03-09
  int attempts = 0;
  int passed = 0;
};

// A bar for each day, what passed at its foot.
std::string days_chart(const std::vector<DayBar>& days);

}  // namespace grade::site
