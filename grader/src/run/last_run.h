// The latest run of each lesson's own kernel, for the pages: .grade/runs/NNN_slug.json. It is the
// object of `--json` with its time and, for each diagnostic, the source lines round the place.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "run/report.h"
#include "system/paths.h"

namespace grade {

// Nothing happens where it cannot be written: the verdict does not depend on it.
void keep_last_run(const ReportInput& input, int xp);

// The JSON text; empty when the lesson was not run yet.
std::optional<std::string> last_run(const Paths& paths, std::string_view directory);

}  // namespace grade
