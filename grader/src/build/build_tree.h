// The workbook's own build (build/cpu, build/cuda): graders, reference kernels, the kernel
// compiler.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "build/backend.h"
#include "system/paths.h"

namespace grade {

// Another thread has set `cancelled`.
struct Cancelled {};

class BuildTree {
 public:
  BuildTree(const Paths& paths, Backend backend);

  Backend backend() const { return backend_; }
  const std::filesystem::path& folder() const { return folder_; }

  // What the build makes; `lesson` is a directory's name, "001_matmul_nn".
  std::filesystem::path grader(const std::string& lesson) const;
  std::filesystem::path reference(const std::string& lesson) const;
  std::filesystem::path fast(const std::string& lesson) const;
  std::filesystem::path fast_part(const std::string& lesson) const;  // for other fast kernels
  std::filesystem::path kernel_compiler() const;  // simt-cc of the CPU tree, for both backends
  std::filesystem::path runtime() const;          // libsimt.so; empty on CUDA

  // Brings the targets up to date; configures first where that was never done. Quick when there is
  // nothing to do. Says what it does on a status line. Two tools never build at once (a lock).
  // Throws Error(unavailable) that says what is missing or broken, and Cancelled.
  void ensure(const std::vector<std::string>& targets,
              const std::atomic<bool>* cancelled = nullptr);

 private:
  void configure(const std::atomic<bool>* cancelled);
  std::string way_out() const;  // of a build that fails
  bool build(const std::vector<std::string>& targets, std::string& output,
             const std::atomic<bool>* cancelled);

  const Paths& paths_;
  Backend backend_;
  std::filesystem::path folder_;
};

// The tool's own environment as "NAME=value" strings, for programs that it trusts.
std::vector<std::string> own_environment();

}  // namespace grade
