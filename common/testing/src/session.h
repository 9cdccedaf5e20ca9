// The run of a grader: its options, and what became of the test case that is running.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "testing/counts.h"
#include "testing/diagnostic.h"
#include "testing/trial.h"

namespace testing {

class VerdictChannel;

struct Session {
  std::uint64_t seed = 0;
  int runs = 0;        // 0: as many as the backend advises
  bool bench = false;  // count what each call does
  std::string traced;  // the kernel object whose first call is traced; empty: grade as usual
  VerdictChannel* verdict = nullptr;  // null: a developer reads the console

  // The running case.
  std::string case_name;
  int trials = 0;  // so far
  bool trace_taken = false;
  std::string mistake;
  bool skipped = false;
  std::vector<Diagnostic> reported;  // errors of this case, notes of all cases

  int failed_cases = 0;  // so far
  std::string halted;    // why no further case can run; empty: they can

  void begin_case(std::string name);
  // Sends what was not sent before.
  void report(const std::vector<Diagnostic>& diagnostics);
  void report(const CallCounts& counts);
  void report_trace(const std::string& sizes, const std::string& trace);
};
Session& session();

// The harness's own stream, on which every call is graded.
cudaStream_t harness_stream();

// Counts resets of the device: arrays of an earlier generation are gone.
int device_generation();
bool reset_device();

}  // namespace testing
