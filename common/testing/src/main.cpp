// main() of every grader.
#include <errno.h>
#include <fmt/format.h>

#include <cstdio>
#include <random>
#include <stdexcept>

#include "backend.h"
#include "cases.h"
#include "kernel_object.h"
#include "options.h"
#include "session.h"
#include "verdict.h"

namespace {

constexpr int passed = 0, failed = 1, unusable = 2;
constexpr double default_launch_seconds = 5;

std::uint64_t random_seed() {
  std::random_device device;  // the seed is typed in again: keep it short
  return device() % 1'000'000'000u;
}

// "001_matmul_nn" of grader_001_matmul_nn.
std::string lesson_name() {
  const std::string program = program_invocation_short_name;
  const std::string prefix = "grader_";
  return program.starts_with(prefix) ? program.substr(prefix.size()) : program;
}

int refuse(testing::VerdictChannel* verdict, const std::string& why) {
  if (verdict != nullptr) {
    verdict->load_error(why);
  } else {
    fmt::print(stderr, "{}\n", why);
  }
  return unusable;
}

int run(const testing::Options& options) {
  const testing::CaseKind kind = options.bench ? testing::CaseKind::bench : testing::CaseKind::test;
  const std::vector<std::string> all = testing::all_cases(kind);
  if (all.empty() && !options.bench) throw std::logic_error("a grader without cases");
  if (options.list) {
    for (const std::string& name : all) fmt::print("{}\n", name);
    return passed;
  }
  std::vector<std::string> cases = testing::select_cases(all, options);
  if (options.trace && cases.size() > 1)
    cases.resize(1);  // the lesson's example, unless --case names another
  const auto verdict = testing::VerdictChannel::open();

  testing::Session& session = testing::session();
  session.verdict = verdict.get();
  session.runs = options.bench || options.trace ? 1 : options.runs;
  if (options.trace) session.traced = options.kernel;
  session.bench = options.bench;
  session.seed = options.seed.value_or(random_seed());
  if (verdict != nullptr) session.seed = verdict->seed().value_or(session.seed);
  testing::backend::set_launch_time_limit(options.budget > 0 ? options.budget / 2
                                                             : default_launch_seconds);

  if (const std::string why = testing::backend::unusable(); !why.empty()) {
    if (verdict == nullptr) return refuse(nullptr, why);
    verdict->unusable(why);
    return unusable;
  }

  std::vector<std::string> objects = options.with;
  objects.push_back(options.kernel);
  for (const std::string& object : objects) {
    const std::string why = testing::load_kernel_object(object);
    if (!why.empty()) return refuse(verdict.get(), why);
  }
  if (const std::string missing = testing::missing_functions(); !missing.empty()) {
    return refuse(verdict.get(), fmt::format("{} does not define {}, as moe/kernels.h declares it",
                                             options.kernel, missing));
  }

  if (verdict != nullptr) {
    verdict->start(lesson_name(), session.seed, testing::backend::name(), cases);
  } else {
    fmt::print("{} on the {} backend, seed {}\n", lesson_name(), testing::backend::name(),
               session.seed);
    std::fflush(stdout);
  }
  const bool good = testing::run_cases(kind, cases);
  if (verdict != nullptr) verdict->end(static_cast<int>(cases.size()));
  return good ? passed : failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const testing::Options options =
        testing::parse_options(std::vector<std::string>(argv + 1, argv + argc));
    if (options.help) {
      fmt::print("{}", testing::usage);
      return passed;
    }
    return run(options);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n{}", lesson_name(), error.what(), testing::usage);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", lesson_name(), error.what());
  }
  return unusable;
}
