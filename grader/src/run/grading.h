// Grades a file in a lesson's place: build what it needs, compile it, run its grader on each
// backend, remember the verdict.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "build/build_tree.h"
#include "build/kernel_compiler.h"
#include "course/course.h"
#include "progress/progress.h"
#include "run/result.h"
#include "system/paths.h"

namespace grade {

struct GraderJob;

enum class BackendChoice {
  automatic,  // the CPU with all checks and, where there is a GPU, the GPU as well
  cpu,
  cuda,
};

// "auto", "cpu" or "cuda".
BackendChoice backend_choice(const std::string& text);

struct GradeRequest {
  const Lesson* lesson = nullptr;
  std::filesystem::path file;
  std::optional<std::uint64_t> seed;  // none: a fresh one, or the remembered verdict's
  bool fresh = false;                 // no remembered verdict
  bool secret_seed = false;           // nothing is remembered, and no command line shows the seed
  int schedules = 0;                  // 0: the grader's own number
  std::chrono::milliseconds timeout{20'000};
  int shards = 1;  // parts of the cases that run at the same time
  // With it, the lessons that this one calls are taken from the learner while their file is the one
  // that passed.
  const Progress* mine = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  // As in GraderJob: ends a run that is known to have failed.
  std::function<bool(const RunResult& so_far)> enough;
  bool fast = false;     // a fast kernel: it calls the fast ones of other lessons
  bool legality = true;  // the second opinion on what nvcc would refuse
  std::function<void(const std::string& what)> on_step;  // from several threads
};

struct GradeOutcome {
  Status status = Status::unavailable;
  std::string kernel_hash;           // of the file as it was graded
  std::vector<RunResult> runs;       // one a backend; the CPU first
  std::vector<std::string> remarks;  // what was left out or taken instead, and why
};

// The result of a kernel that was not compiled: its status, and why.
RunResult not_run(const CompiledKernel& kernel);

class Grading {
 public:
  // Throws Error(unavailable) when the choice needs what this machine lacks.
  Grading(const Paths& paths, const Course& course, BackendChoice choice);

  const std::vector<Backend>& backends() const { return backends_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  // Brings the graders and whatever they call up to date. `extra` are further build targets of
  // the CPU tree. Call it before grade(). Throws Cancelled as well.
  void prepare(const std::vector<const Lesson*>& lessons, std::vector<std::string> extra = {},
               const std::atomic<bool>* cancelled = nullptr);

  // Brings what the lessons' fast kernels call up to date: before grade() with `fast`.
  void prepare_fast(const std::vector<const Lesson*>& lessons);

  // Thread-safe.
  GradeOutcome grade(const GradeRequest& request) const;

  // The compiled object of a file in a lesson's place, with the references that it may call.
  CompiledKernel compile(const Lesson& lesson, const std::filesystem::path& file,
                         Backend backend) const;

  // Runs the lesson's bench cases on the CPU backend and counts what the file's kernels do, and
  // those of the references that it calls. Thread-safe.
  RunResult count(const Lesson& lesson, const std::filesystem::path& file, std::uint64_t seed,
                  std::chrono::milliseconds timeout) const;
  // Runs the lesson's first case, its example, in the same way, and traces what the file's own
  // kernels do.
  RunResult trace(const Lesson& lesson, const std::filesystem::path& file, std::uint64_t seed,
                  std::chrono::milliseconds timeout) const;

 private:
  struct Side {
    explicit Side(const Paths& paths, Backend backend) : tree(paths, backend) {}
    BuildTree tree;
    std::unique_ptr<KernelCompiler> compiler;
  };
  GradeOutcome grade_once(const GradeRequest& request) const;
  RunResult grade_on(const Side& side, const GradeRequest& request, std::uint64_t seed,
                     std::vector<std::string>& remarks) const;
  std::vector<std::filesystem::path> callees(const Side& side, const GradeRequest& request,
                                             std::vector<std::string>& remarks) const;
  // The references that a lesson calls, compiled for counting. `known` are those that were already.
  using Objects = std::map<std::string, std::filesystem::path>;
  std::vector<std::filesystem::path> counting_references(const Lesson& lesson,
                                                         Objects& known) const;
  // Runs the job with the file and its references compiled for counting.
  RunResult profile(const Lesson& lesson, const std::filesystem::path& file, GraderJob job) const;
  RunResult run_shards(const Side& side, const GradeRequest& request, std::uint64_t seed,
                       const CompiledKernel& kernel,
                       const std::vector<std::filesystem::path>& with) const;

  const Paths& paths_;
  const Course& course_;
  BackendChoice choice_;
  std::vector<Backend> backends_;
  std::vector<std::string> remarks_;
  std::map<Backend, std::unique_ptr<Side>> sides_;
};

}  // namespace grade
