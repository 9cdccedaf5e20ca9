// The formulas of Markdown texts, and whether MathJax can parse them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/paths.h"

namespace grade {

struct Formula {
  std::string where;  // for messages
  std::string latex;
  bool display = false;
};

// Between single dollars (inline) and double dollars (display); code is left alone.
std::vector<Formula> formulas(std::string_view markdown, const std::string& where);

struct FormulaCheck {
  bool done = false;
  std::string why_not;                // when it could not be done
  std::vector<std::string> problems;  // "where: formula: message"
};

// Needs node, and MathJax in tools/site/node_modules (npm ci there).
FormulaCheck check_formulas(const Paths& paths, const std::vector<Formula>& all);

}  // namespace grade
