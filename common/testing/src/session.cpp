#include "session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend.h"
#include "kernel_object.h"
#include "testing/grader.h"
#include "verdict.h"

namespace testing {
namespace {

cudaStream_t stream = nullptr;
int generation = 0;

bool same_place(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.error == b.error && a.kernel == b.kernel && a.file == b.file &&
         a.line == b.line && a.other_line == b.other_line;
}

}  // namespace

Session& session() {
  static Session the_session;
  return the_session;
}

void Session::begin_case(std::string name) {
  case_name = std::move(name);
  trials = 0;
  mistake.clear();
  skipped = false;
  std::erase_if(reported, [](const Diagnostic& diagnostic) { return diagnostic.error; });
}

void Session::report(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool known = std::ranges::any_of(
        reported, [&](const Diagnostic& other) { return same_place(other, diagnostic); });
    if (known) continue;
    reported.push_back(diagnostic);
    if (verdict != nullptr) verdict->diagnostic(case_name, diagnostic);
  }
}

void Session::report(const CallCounts& counts) {
  if (verdict != nullptr) {
    verdict->counts(case_name, counts);
    return;
  }
  for (const CallCounts::Kernel& each : counts.kernels) {
    fmt::print("{}\n", each.name);
    for (const auto& [name, value] : each.counts.values)
      fmt::print("  {:28} {:14g}\n", name, value);
  }
}

void Session::report_trace(const std::string& sizes, const std::string& trace) {
  trace_taken = true;
  if (verdict != nullptr) {
    verdict->trace(case_name, sizes, trace);
  } else {
    fmt::print("{}\n", trace);
  }
}

cudaStream_t harness_stream() {
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return stream;
}

int device_generation() {
  return generation;
}

bool reset_device() {
  ++generation;
  stream = nullptr;
  return backend::reset();
}

Random case_random() {
  return Random(session().seed, session().case_name, -1);
}

void* find_learner_check(const char* name) {
  void* const check = find_function(name);
  if (check == nullptr) {
    fail_case(std::string("There is no ") + name +
              "() in this file: the exercise's own check is missing, or is not extern \"C\".\n"
              "The lesson's stub.cu declares it.");
  }
  return check;
}

void fail_case(const std::string& message, const std::string& mistake) {
  session().mistake = mistake;
  DOCTEST_FAIL(message);
}

void note_goal(const std::string& what, double count, double goal) {
  const char* const verdict = count <= goal ? "which is the goal" : "the goal is";
  note(fmt::format("{}: {:g}, {}{} (unscored; `grade bench` tells more)", what, count, verdict,
                   count <= goal ? std::string() : fmt::format(" {:g}", goal)));
}

void note(const std::string& text) {
  if (session().verdict != nullptr) {
    session().verdict->note(session().case_name, text);
  } else {
    DOCTEST_MESSAGE(text);
  }
}

}  // namespace testing
