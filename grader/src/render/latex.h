// LaTeX formulas as Unicode text. What the notes use is covered: fractions, scripts, Greek, big
// operators with limits, roots, accents, delimiters, matrices, cases and aligned equations. An
// unknown command shows as its name; nothing is ever an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grade {

// On one line, for the middle of a sentence: "C[r,c] = ∑_(k=0)^(K−1) A[r,k] B[k,c]".
std::string inline_formula(std::string_view latex);

// On as many lines as it takes: stacked fractions, limits above and below, brackets of full height.
// Falls back to one line, broken at relations, when it would be wider than `columns`.
std::vector<std::string> display_formula(std::string_view latex, int columns);

}  // namespace grade
