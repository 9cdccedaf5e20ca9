// A program on its own, without a harness: what the checks found is printed when it ends, and makes
// it end with status 1.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "diagnostics.h"

namespace {

void report(int status, void*) {
  if (simt::diagnostics::harness_present()) return;
  bool failed = false;
  std::fflush(nullptr);
  for (const simt::Diagnostic& found : simt::diagnostics::take()) {
    // A refused launch has been told to the program, by its error code: what it makes of that is
    // its own affair.
    const bool error =
        found.severity == simt::Severity::error && found.kind != simt::DiagnosticKind::launch_error;
    failed |= error;
    std::fprintf(stderr, "%s%s%s%s: %s\n", error ? "" : "note: ", simt::kind_name(found.kind),
                 found.kernel.empty() ? "" : " in ", found.kernel.c_str(), found.message.c_str());
  }
  if (!failed || status != 0) return;
  std::fflush(nullptr);
  _exit(1);
}

[[gnu::constructor]] void install() {
  on_exit(report, nullptr);
}

}  // namespace
