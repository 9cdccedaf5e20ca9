// The trace of a lesson's example, as its grader sent it: docs/cpu-runtime.md describes the format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace grade {

struct Trace {
  struct Place {
    std::string file;
    int line = 0;  // 0: unknown
  };
  struct Launch {
    std::string kernel;
    int line = 0;
    std::array<unsigned, 3> grid{};
    std::array<unsigned, 3> block{};
    bool shown = true;
    std::size_t steps = 0;
  };
  struct Array {
    std::string name;
    bool shared = false;
    std::size_t element_bytes = 4;
    long length = 0;
    std::vector<long> extents;
    std::vector<std::string> axes;
    std::size_t offset = 0;
  };
  struct Part {
    std::size_t array = 0;
    std::uint32_t lanes = 0;
    std::vector<long> elements;
  };
  struct Step {
    std::string kind;  // load, store, atomic, barrier, grid_barrier, warp
    std::size_t launch = 0;
    std::size_t block = 0;
    std::size_t place = 0;
    unsigned warp = 0;
    std::uint32_t lanes = 0;
    bool shared = false;
    std::uint32_t bytes = 0;
    std::uint64_t transactions = 0;
    std::uint64_t best = 0;
    std::uint64_t crowd = 0;
    std::vector<Part> parts;
    unsigned arrived = 0;
    unsigned missing = 0;
    bool mismatch = false;
    std::string operation;

    bool is_barrier() const { return kind == "barrier" || kind == "grid_barrier"; }
    bool is_access() const { return kind == "load" || kind == "store" || kind == "atomic"; }
  };
  struct Finding {
    struct Hit {
      unsigned lane = 0;
      long element = 0;
      unsigned other_lane = 0;
    };
    std::string kind;  // race, out_of_bounds, ...
    bool error = true;
    std::size_t step = 0;
    std::size_t array = 0;
    bool other_known = false;
    std::size_t other_step = 0;
    std::vector<Hit> hits;  // at least one
  };

  std::string case_name;
  std::string sizes;  // "M=3, N=4, K=2", or nothing
  std::vector<Place> places;
  std::vector<Launch> launches;
  std::vector<Array> arrays;
  std::vector<Step> steps;
  std::vector<Finding> findings;
  std::size_t steps_left_out = 0;
  std::size_t arrays_left_out = 0;
  std::size_t launches_left_out = 0;
  std::size_t findings_left_out = 0;
};

// From RunResult::trace. Throws Error(unavailable) when the text is no trace, or one that names
// what it does not hold.
Trace read_trace(const std::string& text);

}  // namespace grade
