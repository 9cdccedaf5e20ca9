#include "system/clock.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace grade {
namespace {

std::string formatted(const std::tm& time, const char* format) {
  char buffer[64];
  return {buffer, std::strftime(buffer, sizeof buffer, format, &time)};
}

std::tm local(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  localtime_r(&time, &parts);
  return parts;
}

}  // namespace

std::int64_t now_seconds() {
  const char* stopped = std::getenv("GRADE_NOW");
  if (stopped != nullptr && *stopped != '\0') return std::atoll(stopped);
  return std::time(nullptr);
}

std::string utc_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  return formatted(parts, "%Y-%m-%dT%H:%M:%SZ");
}

std::optional<std::int64_t> parse_utc_time(std::string_view text) {
  std::tm parts{};
  const std::string copy(text);
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&parts);
}

std::string local_day(std::int64_t seconds) {
  return formatted(local(seconds), "%Y-%m-%d");
}

std::string local_time(std::int64_t seconds) {
  return formatted(local(seconds), "%Y-%m-%d %H:%M");
}

std::string duration(std::int64_t seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds);
  const std::int64_t minutes = (seconds + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

}  // namespace grade
