// Times a file in a lesson's place on the GPU, beside the reference: builds what that takes,
// compiles the file, runs the lesson's benchmark program (lessons/NNN_slug/bench.cpp) as a grader
// is run.
//
// GRADE_BENCH_PROGRAM names a program to run instead, on kernels compiled for the CPU runtime: so
// the tests try all of this on machines without a GPU.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "course/course.h"
#include "run/grading.h"
#include "run/result.h"
#include "system/paths.h"

namespace grade {

// Whether kernels are timed here: there is a GPU and nvcc, and the choice allows it. `remarks` gets
// why a GPU that is there is not used. Throws Error(unavailable) where the choice insists.
bool times_here(const Paths& paths, const Course& course, BackendChoice choice,
                std::vector<std::string>& remarks);

struct TimingRequest {
  const Lesson* lesson = nullptr;
  std::filesystem::path file;  // empty: the reference alone
  std::uint64_t seed = 1;      // of the inputs: the same each time, so that times can be compared
  std::chrono::milliseconds timeout{};
  std::function<void(const std::string& what)> on_step;
};

class Timer {
 public:
  explicit Timer(const Paths& paths);

  // Brings the benchmark program and the kernels beside it up to date. Throws Error(unavailable),
  // also for a lesson that has no benchmark.
  void prepare(const Lesson& lesson);

  // Of a prepared lesson. What was measured is in `timings`. A `reason` says that it proves nothing
  // or is not all.
  RunResult time(const TimingRequest& request) const;

 private:
  bool has_fast(const Lesson& lesson) const;
  std::vector<std::filesystem::path> callees(const Lesson& lesson) const;

  const Paths& paths_;
  std::filesystem::path stand_in_;
  BuildTree tree_;
};

}  // namespace grade
