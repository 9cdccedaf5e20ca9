#include "findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "backend.h"

namespace testing {
namespace {

const char* const uninitialized = "uninitialized_read";

// The kind of diagnostic for an error that a device left without a report of its own.
const char* kind_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
      return "out_of_bounds";
    case cudaErrorMisalignedAddress:
      return "misaligned";
    case cudaErrorAssert:
      return "device_assert";
    case cudaErrorLaunchTimeout:
      return "endless_loop";
    default:
      return "launch_error";
  }
}

}  // namespace

void Findings::add(Diagnostic diagnostic) {
  for (Diagnostic& known : outcome_.diagnostics) {
    if (known.kind == diagnostic.kind && known.kernel == diagnostic.kernel &&
        known.file == diagnostic.file && known.line == diagnostic.line &&
        known.other_line == diagnostic.other_line) {
      known.count += diagnostic.count;
      known.error = known.error || diagnostic.error;
      if (known.error) outcome_.passed = false;
      return;
    }
  }
  if (diagnostic.error) outcome_.passed = false;
  outcome_.diagnostics.push_back(std::move(diagnostic));
}

void Findings::add(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) add(std::move(diagnostic));
}

void Findings::add(cudaError_t error, const char* what) {
  if (std::ranges::any_of(outcome_.diagnostics, &Diagnostic::error)) return;
  Diagnostic diagnostic;
  diagnostic.kind = kind_of(error);
  diagnostic.message =
      fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
  add(std::move(diagnostic));
}

bool Findings::has_error(const std::string& kind) const {
  return std::ranges::any_of(outcome_.diagnostics,
                             [&](const Diagnostic& d) { return d.error && d.kind == kind; });
}

bool Findings::noted(const std::string& kind) const {
  return std::ranges::any_of(outcome_.diagnostics,
                             [&](const Diagnostic& d) { return !d.error && d.kind == kind; });
}

Diagnostic* Findings::find(const std::string& kind, const std::string& array) {
  const auto found = std::ranges::find_if(outcome_.diagnostics, [&](const Diagnostic& d) {
    return d.kind == kind && d.array == array;
  });
  return found == outcome_.diagnostics.end() ? nullptr : &*found;
}

void Findings::stop(std::string why) {
  outcome_.passed = false;
  if (stopped_.empty()) stopped_ = std::move(why);
}

void Findings::add_wrong_values(const std::string& message) {
  outcome_.passed = false;
  values_ += (values_.empty() ? "" : "\n") + message;
}

bool Findings::has_uninitialized_notes() const {
  return noted(uninitialized);
}

void Findings::blame_uninitialized(const char* why) {
  for (Diagnostic& diagnostic : outcome_.diagnostics) {
    if (diagnostic.kind != uninitialized || diagnostic.error) continue;
    diagnostic.error = true;
    diagnostic.message += fmt::format("\n{}", why);
  }
}

void Findings::excuse_uninitialized() {
  for (Diagnostic& diagnostic : outcome_.diagnostics) {
    if (diagnostic.kind == uninitialized && !diagnostic.error) {
      diagnostic.message += "\nThe outputs do not depend on it, so it is a note.";
    }
  }
}

// A word that takes part in a race is not told as unwritten as well.
UnwrittenReads Findings::unwritten_reads() const {
  std::optional<UnwrittenReads> seen;
  for (const Diagnostic& diagnostic : outcome_.diagnostics) {
    if (diagnostic.kind != uninitialized) continue;
    const UnwrittenReads from = diagnostic.shared_memory   ? UnwrittenReads::in_shared_memory
                                : diagnostic.array.empty() ? UnwrittenReads::by_shuffle
                                                           : UnwrittenReads::in_arrays;
    seen = seen.value_or(from) == from ? from : UnwrittenReads::mixed;
  }
  if (seen) return *seen;
  if (!backend::sees_unwritten_reads() || has_error("race") || noted("race") ||
      has_error("barrier_divergence")) {
    return UnwrittenReads::unknown;
  }
  return UnwrittenReads::none;
}

Outcome Findings::outcome(const Trial::State& trial) const {
  Outcome outcome = outcome_;
  if (outcome.passed) return outcome;
  if (outcome.mistake.empty()) {
    for (const auto& telling : trial.telling_diagnostics) {
      const bool match = std::ranges::any_of(
          outcome.diagnostics, [&](const Diagnostic& d) { return d.error && telling.second(d); });
      if (match) {
        outcome.mistake = telling.first;
        break;
      }
    }
  }
  const std::string kinds = error_kinds();
  std::string& text = outcome.message;
  if (const std::string sizes = trial.sizes_text(); !sizes.empty()) text = "With " + sizes + ": ";
  if (!values_.empty()) {
    text += values_;
    if (!kinds.empty()) text += fmt::format("\nThe checks report: {}.", kinds);
  } else if (!stopped_.empty()) {
    text += stopped_ + (kinds.empty() ? "." : fmt::format(" ({}).", kinds));
  } else {
    text += fmt::format("the values are right, but the checks report: {}.", kinds);
  }
  text += run_;
  return outcome;
}

std::string Findings::error_kinds() const {
  std::string kinds;
  for (const Diagnostic& diagnostic : outcome_.diagnostics) {
    if (!diagnostic.error || kinds.find(diagnostic.kind) != std::string::npos) continue;
    kinds += (kinds.empty() ? "" : ", ") + diagnostic.kind;
  }
  return kinds;
}

}  // namespace testing
