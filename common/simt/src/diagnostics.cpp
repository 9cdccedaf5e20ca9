#include "diagnostics.h"

#include <map>
#include <tuple>
#include <utility>

namespace simt {

const char* kind_name(DiagnosticKind kind) {
  switch (kind) {
    case DiagnosticKind::race:
      return "race";
    case DiagnosticKind::out_of_bounds:
      return "out_of_bounds";
    case DiagnosticKind::use_after_free:
      return "use_after_free";
    case DiagnosticKind::uninitialized_read:
      return "uninitialized_read";
    case DiagnosticKind::barrier_divergence:
      return "barrier_divergence";
    case DiagnosticKind::misaligned:
      return "misaligned";
    case DiagnosticKind::host_access:
      return "host_access";
    case DiagnosticKind::wrong_stream:
      return "wrong_stream";
    case DiagnosticKind::forbidden_call:
      return "forbidden_call";
    case DiagnosticKind::input_written:
      return "input_written";
    case DiagnosticKind::leak:
      return "leak";
    case DiagnosticKind::launch_error:
      return "launch_error";
    case DiagnosticKind::device_assert:
      return "device_assert";
    case DiagnosticKind::deadlock:
      return "deadlock";
    case DiagnosticKind::endless_loop:
      return "endless_loop";
    case DiagnosticKind::arithmetic:
      return "arithmetic";
  }
  return "unknown";
}

namespace diagnostics {
namespace {

constexpr std::size_t most = 1000;

using Key = std::tuple<std::string, DiagnosticKind, std::string, int, std::string, int>;

struct List {
  std::vector<Diagnostic> all;
  std::map<Key, std::size_t> places;
};

List& list() {
  static List* const instance = new List;
  return *instance;
}

}  // namespace

void add(Diagnostic diagnostic) {
  List& known = list();
  Key key{diagnostic.kernel,     diagnostic.kind,       diagnostic.where.file,
          diagnostic.where.line, diagnostic.other.file, diagnostic.other.line};
  auto found = known.places.find(key);
  if (found == known.places.end()) {
    if (known.all.size() >= most) return;
    known.places.emplace(std::move(key), known.all.size());
    known.all.push_back(std::move(diagnostic));
    return;
  }
  Diagnostic& same = known.all[found->second];
  if (same.severity == Severity::note && diagnostic.severity == Severity::error) {
    diagnostic.count += same.count;
    same = std::move(diagnostic);
  } else {
    same.count += diagnostic.count;
  }
}

namespace {
bool harness = false;
}

bool harness_present() {
  return harness;
}
void note_harness() {
  harness = true;
}

std::vector<Diagnostic> take() {
  List& known = list();
  known.places.clear();
  return std::exchange(known.all, {});
}

}  // namespace diagnostics
}  // namespace simt
