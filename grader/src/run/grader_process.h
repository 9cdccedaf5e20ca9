// Starts a lesson's grader on a kernel object, in the sandbox, and collects its verdict; or
// another program that speaks as a grader does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "run/result.h"

namespace grade {

struct GraderJob {
  std::filesystem::path grader;
  std::vector<std::string> arguments;  // of a program that is no grader: these and no others
  std::filesystem::path kernel;
  std::vector<std::filesystem::path> with;  // objects of the lessons that the kernel calls
  Backend backend = Backend::cpu;
  std::uint64_t seed = 0;
  bool secret_seed = false;  // kept off the command line, which other users can read
  int schedules = 0;         // 0: the grader's own number
  std::chrono::milliseconds timeout{20'000};
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes
  bool bench = false;                             // the bench cases, counted
  bool trace = false;                             // one small case, traced
  int shard = 1;  // 1 to `shards`: every shards-th case, beginning with this one
  int shards = 1;
  std::filesystem::path scratch_base;
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(const std::string& name)> on_case;  // a case begins
  // Asked after each failed case; true ends the run there, as failed. Not with `cancelled`.
  std::function<bool(const RunResult& so_far)> enough;
};

RunResult run_grader(const GraderJob& job);

// A seed that is short enough to type.
std::uint64_t fresh_seed();

}  // namespace grade
