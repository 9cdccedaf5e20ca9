// The list of diagnostics that a harness takes: one for each kernel, kind and pair of lines.
#pragma once

#include "simt/inspect.h"

namespace simt::diagnostics {

// Adds the diagnostic, or its count to one that says the same already.
void add(Diagnostic diagnostic);
std::vector<Diagnostic> take();
// Has a harness ever taken diagnostics?
bool harness_present();
void note_harness();

}  // namespace simt::diagnostics
