// Results of runs as JSON text: for `--json`, and for remembered verdicts.
#pragma once

#include <string>
#include <string_view>

#include "run/report.h"
#include "run/result.h"

namespace grade {

std::string to_json_text(const RunResult& result);
RunResult run_result_from_json_text(std::string_view text);  // throws when it is not one

// The object of `grade run --json`. `xp` is what this run earned.
std::string json_report(const ReportInput& input, int xp);
// The same where nothing could be run.
std::string json_unavailable(const std::string& lesson, const std::string& backend,
                             const std::string& reason);

}  // namespace grade
