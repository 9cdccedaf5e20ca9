// main() of every benchmark program.
#include <errno.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "bench/check.h"
#include "bench/statistics.h"
#include "options.h"
#include "session.h"
#include "verdict.h"

namespace {

using Json = nlohmann::ordered_json;

constexpr int passed = 0, failed = 1, unusable = 2;

Json machine() {
  int device = 0;
  cudaDeviceProp properties{};
  int driver = 0;
  int runtime = 0;
  bench::check(cudaGetDevice(&device), "the device");
  bench::check(cudaGetDeviceProperties(&properties, device), "the device's properties");
  bench::check(cudaDriverGetVersion(&driver), "the driver's version");
  bench::check(cudaRuntimeGetVersion(&runtime), "the runtime's version");
  return {{"gpu", properties.name},
          {"compute_capability", fmt::format("{}.{}", properties.major, properties.minor)},
          {"multiprocessors", properties.multiProcessorCount},
          {"l2_bytes", properties.l2CacheSize},
          {"driver", driver},
          {"runtime", runtime}};
}

Json to_json(const bench::Ceilings& ceilings) {
  return {{"copy_bytes_per_second", ceilings.copy_bytes_per_second},
          {"read_bytes_per_second", ceilings.read_bytes_per_second},
          {"fill_bytes_per_second", ceilings.fill_bytes_per_second},
          {"flops_per_second", ceilings.flops_per_second},
          {"product_flops_per_second", ceilings.product_flops_per_second}};
}

Json shape_of(const bench::Benchmark& benchmark) {
  return {{"function", benchmark.name()},       {"shape", benchmark.shape()},
          {"method", name(benchmark.method())}, {"bytes", benchmark.work.bytes()},
          {"bytes_read", benchmark.work.read},  {"bytes_written", benchmark.work.written},
          {"flops", benchmark.work.flops},      {"held_bytes", benchmark.held_bytes()}};
}

Json to_json(const bench::Benchmark& benchmark, const bench::Ceilings& ceilings) {
  const double least = bench::least_time(benchmark.work, ceilings);
  Json subjects = Json::array();
  for (const bench::Measurement& each : benchmark.measurements()) {
    Json subject{{"subject", each.subject}, {"wrong", each.wrong}};
    if (!each.seconds.empty()) {
      const bench::Summary summary = bench::summarise(each.seconds);
      subject["median"] = summary.median;
      subject["lower"] = summary.lower;
      subject["upper"] = summary.upper;
      subject["least"] = summary.least;
      subject["samples"] = each.seconds;
      // Small arrays stay in the cache on purpose; the memory's rate is no bound for them.
      if (least > 0 && benchmark.method() == bench::Method::cold) {
        subject["of_roofline"] = least / summary.median;
        if (bench::too_fast(least, summary.median)) {
          subject["wrong"] = fmt::format(
              "faster than this machine can be: {:.2f} times the roofline; work was left out, or "
              "not timed",
              least / summary.median);
        }
      }
    }
    subjects.push_back(std::move(subject));
  }
  Json json = shape_of(benchmark);
  json["least_seconds"] = least;
  if (!benchmark.skipped().empty()) json["skipped"] = benchmark.skipped();
  json["subjects"] = std::move(subjects);
  return json;
}

std::string lesson_name() {
  const std::string program = program_invocation_short_name;
  return program.starts_with("bench_") ? program.substr(6) : program;
}

int list(const bench::Options& options) {
  bench::Session session(options);
  run_benchmarks(session,
                 [](const bench::Benchmark& each) { fmt::print("{}\n", shape_of(each).dump()); });
  return passed;
}

int run(const bench::Options& options) {
  if (options.list) return list(options);
  const auto channel = testing::VerdictChannel::open();
  Json device;
  try {
    device = machine();
  } catch (const std::runtime_error& error) {
    if (channel != nullptr) channel->unusable(error.what());
    throw;
  }
  std::optional<bench::Session> opened;
  try {
    opened.emplace(options);
  } catch (const std::runtime_error& error) {
    if (channel != nullptr) channel->load_error(error.what());
    throw;
  }
  bench::Session& session = *opened;
  if (channel != nullptr) {
    channel->start(lesson_name(), options.seed, "cuda", {"timing"});
    channel->case_start("what this device can do");
    session.on_announce = [&](const std::string& what) { channel->case_start(what); };
  }
  const bench::Ceilings ceilings = session.ceilings();
  bool good = true;
  const auto send = [&](const Json& json) {
    if (channel != nullptr) {
      channel->timing(json.dump());
    } else {
      fmt::print("{}\n", json.dump());
      std::fflush(stdout);
    }
  };
  send({{"machine", device}, {"ceilings", to_json(ceilings)}, {"smoke", options.smoke}});
  run_benchmarks(session, [&](const bench::Benchmark& each) {
    if (session.lost() && each.measurements().empty()) return;
    // Of sizes that take no time, a roofline says nothing.
    const Json json = to_json(each, options.smoke ? bench::Ceilings{} : ceilings);
    for (const Json& subject : json["subjects"]) {
      good = good && subject["wrong"].get<std::string>().empty();
    }
    send(json);
  });
  if (channel != nullptr) {
    channel->case_end("timing", good ? "passed" : "failed", "", "", 0);
    channel->end(1);
  }
  return good ? passed : failed;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::ranges::find(arguments, "--help") != arguments.end()) {
    fmt::print("{}", bench::usage);
    return passed;
  }
  try {
    return run(bench::parse_options(arguments));
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n{}", lesson_name(), error.what(), bench::usage);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", lesson_name(), error.what());
  }
  return unusable;
}
