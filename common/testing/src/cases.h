// The test cases of a grader, as doctest knows them.
#pragma once

#include <string>
#include <vector>

namespace testing {

enum class CaseKind { test, bench };

// Their names, in the order of the file.
std::vector<std::string> all_cases(CaseKind kind);

// Runs these. True if all passed. Each is reported over the session's verdict channel, if there is
// one, else on the console.
bool run_cases(CaseKind kind, const std::vector<std::string>& names);

}  // namespace testing
