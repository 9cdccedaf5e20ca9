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
    const bool error = found.severity == simt::Severity::error;
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
