#include "run/finding.h"

#include <algorithm>
#include <map>

namespace grade {
namespace {

void note_failure(Attempt& attempt, const RunResult& run) {
  for (const CaseResult& each : run.cases) {
    if (!each.mistake.empty()) {
      attempt.mistake = each.mistake;
      break;
    }
  }
  for (const ReportedDiagnostic& each : run.diagnostics) {
    if (each.error) {
      attempt.finding = each.kind;
      return;
    }
  }
  attempt.finding = run.status == Status::failed ? "value" : name(run.status);
}

}  // namespace

Attempt attempt_of(const GradeOutcome& outcome) {
  Attempt attempt;
  attempt.status = name(outcome.status);
  attempt.kernel_hash = outcome.kernel_hash;
  attempt.seed = outcome.runs.front().seed;
  for (const RunResult& run : outcome.runs) {
    attempt.backend += (attempt.backend.empty() ? "" : "+") + std::string(name(run.backend));
    if (attempt.finding.empty() && run.status != Status::passed) note_failure(attempt, run);
  }
  return attempt;
}

std::string finding_in_words(const std::string& kind) {
  static const std::map<std::string, std::string> kWords{
      {"race", "data race"},
      {"out_of_bounds", "out of bounds"},
      {"use_after_free", "use after free"},
      {"uninitialized_read", "read of memory that nothing wrote"},
      {"barrier_divergence", "barrier that not all threads reach"},
      {"misaligned", "misaligned access"},
      {"host_access", "host code touches device memory"},
      {"wrong_stream", "work on another stream"},
      {"forbidden_call", "call that a lesson may not make"},
      {"input_written", "input changed"},
      {"leak", "leak"},
      {"launch_error", "launch error"},
      {"device_assert", "device assert"},
      {"deadlock", "deadlock"},
      {"endless_loop", "endless loop"},
      {"value", "wrong values"},
      {"compile_error", "it does not compile"},
      {"timed_out", "it does not come to an end"},
      {"crashed", "a crash"},
      {"arithmetic", "arithmetic without a defined result"},
  };
  const auto found = kWords.find(kind);
  return found == kWords.end() ? kind : found->second;
}

std::string_view kind_at_head(const std::string& kind, std::string_view report) {
  std::string words = kind;
  std::replace(words.begin(), words.end(), '_', ' ');
  if (kind == "uninitialized_read") words = "uninitialised";
  if (kind == "barrier_divergence") words = "barrier";
  return report.starts_with(words) ? report.substr(0, words.size()) : std::string_view();
}

}  // namespace grade
