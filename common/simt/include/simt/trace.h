// The trace of a profile run: which lanes touched which elements, step by step, as a picture shows
// it. Off unless a harness asks for it.
//
// A step is one request of one warp (a load, store or atomic instruction with the lanes that take
// part), one barrier of a block, or one warp operation. Steps come in the order in which the
// runtime made them: a warp goes on until all its lanes wait, then the next one does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "inspect.h"

namespace simt {

// What is beyond is counted, and left out.
struct TraceLimits {
  std::size_t steps = 1000;
  std::size_t arrays = 64;
  std::size_t launches = 64;
  std::size_t findings = 400;
};

struct Trace {
  enum class Kind : std::uint8_t { load, store, atomic, barrier, grid_barrier, warp_operation };

  struct Launch {
    std::string kernel;
    int line = 0;  // of the launch
    dim3 grid;
    dim3 block;
    bool shown = true;      // false: of another module than the one that was asked for
    std::size_t steps = 0;  // those left out included
  };

  struct Array {
    std::string name;
    bool shared = false;
    std::size_t element_bytes = 4;
    long length = 0;  // elements
    // Row-major; no extents where only the length is known, no axes where they have no names.
    std::vector<long> extents;
    std::vector<std::string> axes;
    // Of the first element: its byte in its sector, or the byte in which bank it begins.
    std::size_t offset = 0;
  };

  // Of a request: the lanes that touch one array, and each one's first element, in their order.
  struct Part {
    std::size_t array = 0;
    std::uint32_t lanes = 0;
    std::vector<long> elements;
  };

  struct Step {
    Kind kind = Kind::load;
    std::size_t launch = 0;
    std::size_t block = 0;  // linear
    unsigned warp = 0;      // of requests and warp operations
    std::size_t place = 0;
    std::uint32_t lanes = 0;  // that take part, of requests and warp operations
    // Requests.
    std::uint32_t bytes = 0;  // of each lane
    bool shared = false;
    std::uint64_t transactions = 0;  // sectors, or passes over the banks
    std::uint64_t best = 0;
    std::uint64_t crowd = 0;  // atomics: lanes at the most wanted address
    std::vector<Part> parts;
    // Barriers.
    unsigned arrived = 0;
    unsigned missing = 0;  // threads that had ended before
    bool mismatch = false;
    // Warp operations: "shuffle", "vote", ...
    std::string operation;
  };

  // What is wrong with some lanes of a step.
  struct Finding {
    struct Hit {
      unsigned lane = 0;
      long element = 0;
      unsigned other_lane = 0;  // of a race whose earlier access is known
    };
    DiagnosticKind kind{};
    Severity severity = Severity::error;
    std::size_t step = 0;
    std::size_t array = 0;
    bool other_known = false;  // of a race: the step of the earlier access
    std::size_t other_step = 0;
    std::vector<Hit> hits;
  };

  std::vector<SourceLocation> places;  // 0 is nowhere
  std::vector<Launch> launches;
  std::vector<Array> arrays;
  std::vector<Step> steps;
  std::vector<Finding> findings;
  std::size_t steps_left_out = 0;
  std::size_t arrays_left_out = 0;  // parts of steps without a picture of their array
  std::size_t launches_left_out = 0;
  std::size_t findings_left_out = 0;
};

// Begins a trace: launches in profile runs are written down until it is taken. With a `module` (the
// path of a shared object, as given to dlopen) those of kernels in other files are only named.
void start_trace(const TraceLimits& limits = {}, const std::string& module = {});
// Ends it.
Trace take_trace();

}  // namespace simt
