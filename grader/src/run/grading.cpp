#include "run/grading.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>

#include "build/fast_kernel.h"
#include "cli/error.h"
#include "machine/machine.h"
#include "run/grader_process.h"
#include "run/verdict_cache.h"
#include "system/files.h"
#include "terminal/text.h"
#include "workspace/own_kernel.h"

namespace grade {

namespace fs = std::filesystem;

RunResult not_run(const CompiledKernel& kernel) {
  RunResult result;
  result.source_hash = kernel.source_hash;
  result.compiler_messages = kernel.messages;
  result.build_seconds = kernel.seconds;
  switch (kernel.outcome) {
    case CompiledKernel::Outcome::compiled:
      break;
    case CompiledKernel::Outcome::does_not_compile:
      result.status = Status::compile_error;
      result.reason = "the kernel does not compile";
      break;
    case CompiledKernel::Outcome::timed_out:
      result.status = Status::compile_error;
      result.reason = "the compiler did not come to an end within 60 s";
      break;
    case CompiledKernel::Outcome::needs_gpu:
      result.reason = "this kernel uses what only a GPU has";
      result.needs_gpu = true;
      break;
    case CompiledKernel::Outcome::unavailable:
      result.reason = "this machine cannot compile the kernel, which is not the kernel's fault";
      break;
  }
  return result;
}

BackendChoice backend_choice(const std::string& text) {
  if (text == "cpu") return BackendChoice::cpu;
  if (text == "cuda") return BackendChoice::cuda;
  return BackendChoice::automatic;
}

Grading::Grading(const Paths& paths, const Course& course, BackendChoice choice)
    : paths_(paths), course_(course), choice_(choice) {
  if (choice != BackendChoice::cuda) backends_.push_back(Backend::cpu);
  if (choice != BackendChoice::cpu) {
    std::string why_not;
    bool broken = false;
    const auto gpu = find_gpu(&why_not, &broken);
    if (gpu && find_nvcc().empty()) why_not = "there is a GPU but no nvcc";
    if (gpu && !find_nvcc().empty()) {
      backends_.push_back(Backend::cuda);
    } else if (choice == BackendChoice::cuda) {
      refuse_cuda(why_not);
    } else if (gpu || broken) {
      remarks_.push_back(why_not + ", so only the CPU backend was used");
    }
  }
  for (const Backend backend : backends_) {
    sides_.emplace(backend, std::make_unique<Side>(paths, backend));
  }
}

void Grading::prepare(const std::vector<const Lesson*>& lessons, std::vector<std::string> extra,
                      const std::atomic<bool>* cancelled) {
  std::vector<std::string> targets;
  for (const Lesson* lesson : lessons) targets.push_back("lesson_" + lesson->directory());
  for (auto& [backend, side] : sides_) {
    std::vector<std::string> wanted = targets;
    if (backend == Backend::cpu) {
      wanted.push_back("simt-cc");
      wanted.insert(wanted.end(), extra.begin(), extra.end());
    } else if (!sides_.contains(Backend::cpu)) {
      BuildTree(paths_, Backend::cpu).ensure({"simt-cc"}, cancelled);  // it drives nvcc as well
    }
    side->tree.ensure(wanted, cancelled);
    side->compiler = std::make_unique<KernelCompiler>(paths_, side->tree);
  }
}

void Grading::prepare_fast(const std::vector<const Lesson*>& lessons) {
  for (auto& [backend, side] : sides_) {
    std::vector<std::string> targets;
    for (const Lesson* lesson : lessons) {
      for (const std::string& part : fast_parts(paths_, lesson->directory(), backend)) {
        targets.push_back("fast_" + part);
      }
    }
    if (!targets.empty()) side->tree.ensure(targets);
  }
}

CompiledKernel Grading::compile(const Lesson& lesson, const fs::path& file, Backend backend) const {
  const Side& side = *sides_.at(backend);
  KernelSource source{file, lesson.directory(), {}};
  for (const std::string& call : lesson.calls) source.may_call.push_back(side.tree.reference(call));
  return side.compiler->compile(source);
}

std::vector<fs::path> Grading::callees(const Side& side, const GradeRequest& request,
                                       std::vector<std::string>& remarks) const {
  std::vector<fs::path> objects;
  for (const std::string& call : request.lesson->calls) {
    objects.push_back(side.tree.reference(call));
    if (request.mine == nullptr) continue;
    const Lesson& lesson = course_.find(call);
    const OwnKernel state = own_kernel(*request.mine, lesson);
    if (state != OwnKernel::passed) {
      remarks.push_back(fmt::format(
          "{}: the reference, since your file {}", call,
          state == OwnKernel::changed ? "has changed since it passed" : "has not passed yet"));
      continue;
    }
    const CompiledKernel own = compile(lesson, lesson.kernel(), side.tree.backend());
    if (own.source_hash != passed_hash(*request.mine, lesson)) {  // saved since the look above
      remarks.push_back(
          fmt::format("{}: the reference, since your file has changed since it passed", call));
    } else if (own.outcome == CompiledKernel::Outcome::compiled) {
      objects.back() = own.object;
      remarks.push_back(fmt::format("{}: yours", call));
    } else {
      remarks.push_back(fmt::format("{}: the reference, since yours does not compile", call));
    }
  }
  return objects;
}

RunResult Grading::run_shards(const Side& side, const GradeRequest& request, std::uint64_t seed,
                              const CompiledKernel& kernel,
                              const std::vector<fs::path>& with) const {
  GraderJob job;
  job.grader = side.tree.grader(request.lesson->directory());
  job.kernel = kernel.object;
  job.with = with;
  job.backend = side.tree.backend();
  job.seed = seed;
  job.secret_seed = request.secret_seed;
  job.schedules = request.schedules;
  job.timeout = request.timeout;
  job.scratch_base = paths_.state() / "scratch";
  job.cancelled = request.cancelled;
  job.enough = request.enough;
  if (request.on_step) {
    job.on_case = [&](const std::string& name) { request.on_step("case: " + name); };
  }
  // On a GPU the parts would wait for each other, and each pays for the driver's start.
  job.shards = job.backend == Backend::cpu ? request.shards : 1;
  std::vector<std::future<RunResult>> others;
  for (int shard = 2; shard <= job.shards; ++shard) {
    GraderJob part = job;
    part.shard = shard;
    others.push_back(std::async(std::launch::async, [part] { return run_grader(part); }));
  }
  std::vector<RunResult> results{run_grader(job)};
  for (auto& other : others) results.push_back(other.get());
  return merge_shards(std::move(results));
}

RunResult Grading::grade_on(const Side& side, const GradeRequest& request, std::uint64_t seed,
                            std::vector<std::string>& remarks) const {
  const Backend backend = side.tree.backend();
  KernelSource source{request.file, request.lesson->directory(), callees(side, request, remarks)};
  if (request.fast) {
    for (const std::string& part : fast_parts(paths_, request.lesson->directory(), backend)) {
      source.linked.push_back(side.tree.fast_part(part));
    }
  }
  source.legality = request.legality;
  if (request.on_step) request.on_step(fmt::format("compiling ({}) …", name(backend)));
  const CompiledKernel kernel = side.compiler->compile(source, request.cancelled);
  if (kernel.outcome != CompiledKernel::Outcome::compiled) {
    RunResult result = not_run(kernel);
    result.backend = backend;
    return result;
  }

  std::vector<fs::path> parts = source.may_call;
  parts.push_back(side.tree.grader(request.lesson->directory()));
  parts.push_back(side.tree.runtime());
  const VerdictCache cache(kernel.object, parts, request.schedules);
  if (!request.fresh && !request.secret_seed) {
    if (auto remembered = cache.find(request.seed)) {
      remembered->source_hash = kernel.source_hash;
      remembered->sources = kernel.sources;
      return *remembered;
    }
  }
  if (request.on_step) request.on_step(fmt::format("running ({}) …", name(backend)));
  RunResult result = run_shards(side, request, seed, kernel, source.may_call);
  result.source_hash = kernel.source_hash;
  result.build_seconds = kernel.seconds;
  result.compiler_messages = kernel.messages;
  result.sources = kernel.sources;
  if (!request.secret_seed) cache.store(result);
  return result;
}

std::vector<fs::path> Grading::counting_references(const Lesson& lesson, Objects& known) const {
  std::vector<fs::path> objects;
  for (const std::string& call : lesson.calls) {
    if (const auto found = known.find(call); found != known.end()) {
      objects.push_back(found->second);
      continue;
    }
    KernelSource source{paths_.solutions() / call / "kernel.cu", call,
                        counting_references(course_.find(call), known),
                        KernelSource::Purpose::counts};
    const CompiledKernel kernel = sides_.at(Backend::cpu)->compiler->compile(source);
    if (kernel.outcome != CompiledKernel::Outcome::compiled) {
      throw Error(Exit::unavailable, fmt::format("the reference of {} does not compile:\n{}", call,
                                                 terminal::printable(kernel.messages)));
    }
    objects.push_back(known[call] = kernel.object);
  }
  return objects;
}

RunResult Grading::count(const Lesson& lesson, const fs::path& file, std::uint64_t seed,
                         std::chrono::milliseconds timeout) const {
  GraderJob job;
  job.bench = true;
  job.seed = seed;
  job.timeout = timeout;
  return profile(lesson, file, std::move(job));
}

RunResult Grading::trace(const Lesson& lesson, const fs::path& file, std::uint64_t seed,
                         std::chrono::milliseconds timeout) const {
  GraderJob job;
  job.trace = true;
  job.seed = seed;
  job.timeout = timeout;
  return profile(lesson, file, std::move(job));
}

RunResult Grading::profile(const Lesson& lesson, const fs::path& file, GraderJob job) const {
  const Side& side = *sides_.at(Backend::cpu);
  Objects known;
  const KernelSource source{file, lesson.directory(), counting_references(lesson, known),
                            KernelSource::Purpose::counts};
  const CompiledKernel kernel = side.compiler->compile(source);
  if (kernel.outcome != CompiledKernel::Outcome::compiled) return not_run(kernel);
  job.grader = side.tree.grader(lesson.directory());
  job.kernel = kernel.object;
  job.with = source.may_call;
  job.scratch_base = paths_.state() / "scratch";
  return run_grader(job);
}

GradeOutcome Grading::grade(const GradeRequest& request) const {
  constexpr int kMostTries = 5;
  for (int tries = 0; tries < kMostTries; ++tries) {
    GradeOutcome outcome = grade_once(request);
    // A save in between gives each backend another file.
    const bool one_file =
        std::all_of(outcome.runs.begin(), outcome.runs.end(),
                    [&](const RunResult& run) { return run.source_hash == outcome.kernel_hash; });
    if (one_file) return outcome;
  }
  throw Error(
      Exit::unavailable,
      fmt::format("{} changes again and again while it is graded", paths_.shown(request.file)),
      "Run the command again once nothing writes there any more.");
}

GradeOutcome Grading::grade_once(const GradeRequest& request) const {
  GradeOutcome outcome;
  outcome.remarks = remarks_;
  const std::uint64_t seed = request.seed.value_or(fresh_seed());  // both see the same inputs
  std::vector<std::vector<std::string>> remarks(backends_.size());
  std::vector<std::future<RunResult>> running;
  for (std::size_t i = 0; i < backends_.size(); ++i) {
    running.push_back(std::async(std::launch::async, [&, i] {
      return grade_on(*sides_.at(backends_[i]), request, seed, remarks[i]);
    }));
  }
  for (auto& each : running) outcome.runs.push_back(each.get());
  outcome.kernel_hash = outcome.runs.front().source_hash;
  outcome.remarks.insert(outcome.remarks.end(), remarks.front().begin(), remarks.front().end());

  // A file that only a GPU can run is graded there alone.
  if (outcome.runs.front().needs_gpu && outcome.runs.size() > 1) {
    outcome.remarks.push_back(
        "graded on the GPU alone, since this kernel uses what only a GPU has: races, barriers and "
        "uninitialised reads were not checked");
    outcome.runs.erase(outcome.runs.begin());
  } else if (choice_ == BackendChoice::cuda) {
    outcome.remarks.push_back(
        "on the GPU alone: races, barriers and uninitialised reads were not checked");
  }
  outcome.status = Status::passed;
  for (const RunResult& run : outcome.runs) outcome.status = std::max(outcome.status, run.status);
  return outcome;
}

}  // namespace grade
