// What grading a kernel came to.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "build/backend.h"
#include "cli/exit_code.h"

namespace grade {

// From the best to the worst: of several runs the worst counts.
enum class Status { passed, failed, timed_out, crashed, compile_error, unavailable };

const char* name(Status status);  // as in --json
Exit exit_code(Status status);

struct CaseResult {
  std::string name;
  std::string status;  // passed, failed, skipped, not_run
  std::string message;
  std::string mistake;  // slug of a known mistake that gives the same output, or empty
};

struct ReportedDiagnostic {
  bool error = true;  // else a note
  std::string kind;   // product.md's list: race, out_of_bounds, ...
  std::string message;
  std::string kernel;
  std::string file;
  int line = 0;  // 0: unknown
  std::string other_file;
  int other_line = 0;
  std::array<unsigned, 3> block{};
  std::array<unsigned, 3> thread{};
  std::uint64_t count = 1;
  std::string case_name;
};

// What the call of a bench case did: numbers by name (testing/counts.h has the list).
struct CaseCounts {
  using Values = std::map<std::string, double>;
  struct Kernel {
    std::string name;
    Values values;  // of all its launches
  };
  std::string shape;  // the case's name
  bool exact = false;
  Values total;
  std::vector<Kernel> kernels;
};

// One grader run on one backend.
struct RunResult {
  Status status = Status::unavailable;
  Backend backend = Backend::cpu;
  std::uint64_t seed = 0;
  bool needs_gpu = false;    // the CPU runtime cannot run what the kernel uses
  std::string reason;        // why it did not pass, in one sentence, unless cases say it
  std::string case_running;  // when it ended in the middle of one
  std::vector<CaseResult> cases;
  std::vector<ReportedDiagnostic> diagnostics;
  std::vector<std::string> notes;
  std::vector<CaseCounts> counts;    // one a call, of bench cases
  std::string trace;                 // of a traced case: {"case", "sizes", "trace"}
  std::vector<std::string> timings;  // of a program that times kernels, JSON each: timing/timing.h
  std::string output;                // what the program itself printed
  bool output_cut = false;
  std::string source_hash;  // of the file that was graded, as it was compiled
  std::string compiler_messages;
  std::vector<std::string> sources;  // what the compiler read, the system's headers left out
  double build_seconds = 0;
  double run_seconds = 0;
  bool cached = false;  // the verdict of an earlier run of the same file
};

// Joins runs of parts of one grader's cases, or puts the worse status first.
RunResult merge_shards(std::vector<RunResult> shards);

}  // namespace grade
