// Times as they are stored and shown. GRADE_NOW (seconds since 1970) stops the clock for tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grade {

std::int64_t now_seconds();                                    // since 1970, UTC
std::string utc_time(std::int64_t seconds);                    // 2025-03-09T14:05:06Z
std::optional<std::int64_t> parse_utc_time(std::string_view);  // the same form back
std::string local_day(std::int64_t seconds);                   // 2025-03-09 in the local zone
std::string local_time(std::int64_t seconds);                  // 2025-03-09 14:05
std::string duration(std::int64_t seconds);                    // "45 s", "12 min", "3 h 05 min"

}  // namespace grade
