// Verdicts of files that have not changed since, beside their kernel objects.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run/result.h"

namespace grade {

class VerdictCache {
 public:
  // `kernel` is the object; the verdict also depends on what `parts` hold (the grader, the runtime,
  // the objects that the kernel calls).
  VerdictCache(const std::filesystem::path& kernel, const std::vector<std::filesystem::path>& parts,
               int schedules);

  // The remembered verdict; with a seed only one for that seed.
  std::optional<RunResult> find(std::optional<std::uint64_t> seed) const;

  // Remembers what would come out the same again: passed and failed.
  void store(const RunResult& result) const;

 private:
  std::filesystem::path file_;
};

}  // namespace grade
