#include "run/grader_process.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "run/verdict.h"
#include "sandbox/sandbox.h"

namespace grade {
namespace {

template <typename T>
T random_value() {
  T value{};
  if (getrandom(&value, sizeof value, 0) != sizeof value) {
    throw std::runtime_error("the system has no random numbers");
  }
  return value;
}

std::string make_nonce() {
  std::string nonce;
  for (const auto part : random_value<std::array<std::uint64_t, 4>>()) {
    nonce += fmt::format("{:016x}", part);
  }
  return nonce;
}

// Little is passed on: a grader's outcome does not depend on the learner's shell. The driver reads
// its own variables.
std::vector<std::string> grader_environment(Backend backend) {
  std::vector<std::string> variables{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
  if (backend != Backend::cuda) return variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    for (const std::string_view prefix : {"CUDA_", "NVIDIA_", "LD_LIBRARY_PATH="}) {
      if (variable.starts_with(prefix)) variables.emplace_back(variable);
    }
  }
  return variables;
}

std::vector<std::string> grader_arguments(const GraderJob& job) {
  std::vector<std::string> arguments{"--kernel", job.kernel.string()};
  const auto option = [&](const char* name, const std::string& value) {
    arguments.insert(arguments.end(), {name, value});
  };
  if (!job.secret_seed) option("--seed", std::to_string(job.seed));
  for (const auto& object : job.with) option("--with", object.string());
  if (job.bench) arguments.emplace_back("--bench");
  if (job.trace) arguments.emplace_back("--trace");
  if (job.schedules > 0) option("--schedules", std::to_string(job.schedules));
  if (job.shards > 1) option("--shard", fmt::format("{}/{}", job.shard, job.shards));
  const double limit = static_cast<double>(job.timeout.count()) / 1000;
  option("--budget", fmt::format("{:g}", limit));
  return arguments;
}

}  // namespace

RunResult run_grader(const GraderJob& job) {
  sandbox::Command command;
  command.program = job.grader;
  command.arguments = job.arguments.empty() ? grader_arguments(job) : job.arguments;
  command.environment = grader_environment(job.backend);
  command.confinement =
      job.backend == Backend::cpu ? sandbox::Confinement::filtered : sandbox::Confinement::process;
  command.limits.timeout = job.timeout;
  command.limits.memory = job.memory;
  if (!job.scratch_base.empty()) command.scratch_base = job.scratch_base;
  command.cancelled = job.cancelled;

  const std::string nonce = make_nonce();
  command.input = nonce + "\n" + (job.secret_seed ? fmt::format("{}\n", job.seed) : "");
  VerdictReader reader(nonce, job.shards > 1 || job.bench);
  std::string announced;
  std::atomic<bool> enough{false};
  if (job.enough) command.cancelled = &enough;
  command.on_verdict = [&](std::string_view line) {
    reader.line(line);
    if (job.enough && reader.just_failed()) enough = enough || job.enough(reader.so_far());
    if (job.on_case && !reader.case_running().empty() && reader.case_running() != announced) {
      announced = reader.case_running();
      job.on_case(announced);
    }
  };
  RunResult result = reader.finish(sandbox::run(command), command.limits);
  if (enough && result.status != Status::passed) {
    result.status = Status::failed;
    result.reason.clear();
  }
  result.backend = job.backend;
  result.seed = job.seed;
  return result;
}

std::uint64_t fresh_seed() {
  return random_value<std::uint64_t>() % 1'000'000'000;
}

}  // namespace grade
