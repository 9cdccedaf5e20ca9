// Checks of a lesson's texts that need no compiler.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "course/course.h"
#include "system/paths.h"
#include "verify/finding.h"

namespace grade {

// Sections, hints, quiz, mistakes, figures, words, front matter, terms, micro-batch, and that the
// stub turns into the reference inside its TODO regions alone.
void check_documents(const Paths& paths, const Course& course, const Lesson& lesson,
                     Findings& findings);

// The parts of a stub outside of its TODO regions, marker lines left out: the reference must hold
// them in this order, the first at its start, the last at its end. Returns what is wrong, or
// nothing.
std::string stub_against_reference(const std::string& stub, const std::string& reference);

// A line of `text` that uses `term`, whatever its case, as a whole word or in the plural, with its
// line number; passages in emphasis that begin with "Later" may. 0: none.
int line_that_uses(const std::string& text, const std::string& term);

}  // namespace grade
