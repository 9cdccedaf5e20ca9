// The gate's findings as JSON text.
#pragma once

#include <string>

#include "verify/finding.h"

namespace grade {

// {"passed": bool, "seconds": x, "findings": [{"lesson","check","what","verdict","detail"}]};
// verdict is good, bad, skipped or remark.
std::string findings_json(const Findings& findings, double seconds);

}  // namespace grade
