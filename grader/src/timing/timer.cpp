#include "timing/timer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "build/fast_kernel.h"
#include "build/kernel_compiler.h"
#include "cli/error.h"
#include "run/grader_process.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// Of the host: a large layer's arrays are drawn there, and what the reference made is kept.
constexpr std::uint64_t kMemory = std::uint64_t{16} << 30;

fs::path stand_in() {
  const char* const program = std::getenv("GRADE_BENCH_PROGRAM");
  return program == nullptr ? fs::path() : fs::path(program);
}

}  // namespace

bool times_here(const Paths& paths, const Course& course, BackendChoice choice,
                std::vector<std::string>& remarks) {
  if (choice == BackendChoice::cpu) return false;
  if (!stand_in().empty()) return true;
  const Grading grading(paths, course, choice);
  remarks = grading.remarks();
  return std::ranges::find(grading.backends(), Backend::cuda) != grading.backends().end();
}

Timer::Timer(const Paths& paths)
    : paths_(paths),
      stand_in_(stand_in()),
      tree_(paths, stand_in_.empty() ? Backend::cuda : Backend::cpu) {}

void Timer::prepare(const Lesson& lesson) {
  const std::string name = lesson.directory();
  if (!fs::exists(lesson.folder / "bench.cpp")) {
    throw Error(Exit::unavailable,
                fmt::format("lesson {:03} has nothing to time: no {}", lesson.number,
                            paths_.shown(lesson.folder / "bench.cpp")));
  }
  std::vector<std::string> targets{"bench_ceilings", "reference_" + name};
  if (stand_in_.empty()) targets.push_back("bench_" + name);
  if (has_fast(lesson)) targets.push_back("fast_" + name);
  for (const std::string& call : lesson.calls) targets.push_back("reference_" + call);
  BuildTree(paths_, Backend::cpu).ensure({"simt-cc"});  // it drives nvcc as well
  tree_.ensure(targets);
}

RunResult Timer::time(const TimingRequest& request) const {
  const Lesson& lesson = *request.lesson;
  const std::string name = lesson.directory();
  const std::vector<fs::path> with = callees(lesson);
  GraderJob job;
  CompiledKernel own;
  if (!request.file.empty()) {
    if (request.on_step) request.on_step("compiling …");
    own = KernelCompiler(paths_, tree_).compile({request.file, name, with});
    if (own.outcome != CompiledKernel::Outcome::compiled) {
      RunResult result = not_run(own);
      result.backend = Backend::cuda;
      return result;
    }
  }
  const auto option = [&](const char* option, const std::string& value) {
    job.arguments.insert(job.arguments.end(), {option, value});
  };
  const auto kernel = [&](const char* label, const fs::path& object) {
    option("--kernel", fmt::format("{}={}", label, object.string()));
  };
  option("--ceilings", (tree_.folder() / "kernels" / "bench_ceilings.so").string());
  option("--seed", std::to_string(request.seed));
  for (const fs::path& object : with) option("--with", object.string());
  kernel("reference", tree_.reference(name));
  if (has_fast(lesson)) kernel("fast", tree_.fast(name));
  if (!request.file.empty()) kernel("yours", own.object);

  job.grader = stand_in_.empty() ? tree_.folder() / "bench" / ("bench_" + name) : stand_in_;
  job.backend = Backend::cuda;
  job.seed = request.seed;
  job.timeout = request.timeout;
  job.memory = kMemory;
  job.scratch_base = paths_.state() / "scratch";
  if (request.on_step) job.on_case = [&](const std::string& what) { request.on_step(what); };
  RunResult result = run_grader(job);
  result.source_hash = own.source_hash;
  result.compiler_messages = own.messages;
  result.build_seconds = own.seconds;
  return result;
}

bool Timer::has_fast(const Lesson& lesson) const {
  return fast_kernel(paths_, lesson.directory()).exists;
}

std::vector<fs::path> Timer::callees(const Lesson& lesson) const {
  std::vector<fs::path> objects;
  for (const std::string& call : lesson.calls) objects.push_back(tree_.reference(call));
  return objects;
}

}  // namespace grade
