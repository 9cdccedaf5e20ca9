// The harness on the CPU runtime.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>

#include "backend.h"
#include "simt/inspect.h"
#include "trace_json.h"

namespace testing::backend {
namespace {

simt::Order order_of(Schedule::Order order) {
  switch (order) {
    case Schedule::Order::forward:
      return simt::Order::forward;
    case Schedule::Order::reverse:
      return simt::Order::reverse;
    case Schedule::Order::seeded:
      break;
  }
  return simt::Order::seeded;
}

std::array<unsigned, 3> indices(const uint3& value) {
  return {value.x, value.y, value.z};
}

simt::Schedule current;
bool tracing = false;

using Values = std::map<std::string, double>;

void add(Values& values, const std::string& name, std::uint64_t count) {
  values[name] += static_cast<double>(count);
}

void add(Values& values, const std::string& prefix, const char* unit, const simt::Traffic& from) {
  add(values, prefix + "_requests", from.requests);
  add(values, prefix + "_lanes", from.lanes);
  add(values, prefix + "_bytes", from.bytes);
  add(values, prefix + "_" + unit, from.transactions);
  add(values, prefix + "_best_" + unit, from.best);
}

void add(Values& values, const simt::LaunchCounts& from) {
  add(values, "launches", 0);
  add(values, "blocks", from.blocks);
  add(values, "barriers", from.barriers);
  add(values, "warp_operations", from.warp_operations);
  add(values, "steps", from.steps);
  add(values, "step_lanes", from.step_lanes);
  add(values, "flops", from.operations);
  add(values, "load", "sectors", from.global_loads);
  add(values, "store", "sectors", from.global_stores);
  add(values, "atomic", "sectors", from.global_atomics);
  add(values, "load_different_sectors", from.global_loads.different);
  add(values, "store_different_sectors", from.global_stores.different);
  add(values, "atomic_different_sectors", from.global_atomics.different);
  add(values, "shared_load", "passes", from.shared_loads);
  add(values, "shared_store", "passes", from.shared_stores);
  add(values, "shared_atomic", "passes", from.shared_atomics);
  add(values, "atomic_crowd", from.global_atomics.crowd);
  add(values, "shared_atomic_crowd", from.shared_atomics.crowd);
}

// What follows from the sums.
void derive(Values& v) {
  constexpr double sector = 32;
  v["bytes_asked"] = v["load_bytes"] + v["store_bytes"] + v["atomic_bytes"];
  v["bytes_moved"] = sector * (v["load_sectors"] + v["store_sectors"] + v["atomic_sectors"]);
  v["bytes_least"] = sector * (v["load_different_sectors"] + v["store_different_sectors"] +
                               v["atomic_different_sectors"]);
  v["bank_conflicts"] = v["shared_load_passes"] - v["shared_load_best_passes"] +
                        v["shared_store_passes"] - v["shared_store_best_passes"] +
                        v["shared_atomic_passes"] - v["shared_atomic_best_passes"];
  v["active_lanes"] = v["steps"] > 0 ? v["step_lanes"] / v["steps"] : 0;
}

}  // namespace

const char* name() {
  return "cpu";
}

std::string unusable() {
  return {};
}

int default_runs() {
  return 3;
}

bool sees_unwritten_reads() {
  return true;
}

Schedule schedule(int run, std::uint64_t seed) {
  // A signalling NaN, which arithmetic turns into another, so that it marks what nothing wrote;
  // 3e38; -3e38; as ints, large, small and -1; zeros hide a missing initialisation, so they come
  // last.
  static constexpr std::array<std::uint32_t, 6> poisons{0x7fa0dead, 0x7f61b1e6, 0xff61b1e6,
                                                        0x7f7f7f7f, 0xffffffff, 0x00000000};
  Schedule result;
  result.poison = poisons[static_cast<std::size_t>(run) % poisons.size()];
  result.seed = seed + static_cast<std::uint64_t>(run);
  if (run == 0) {
    result.description = "threads and blocks in order";
  } else if (run == 1) {
    result.order = Schedule::Order::reverse;
    result.description = "threads and blocks in reverse order";
  } else {
    result.order = Schedule::Order::seeded;
    result.description = "threads and blocks in random order";
  }
  return result;
}

void apply(const Schedule& schedule) {
  current.order = order_of(schedule.order);
  current.seed = schedule.seed;
  current.poison = schedule.poison;
  simt::set_schedule(current);
}

void set_launch_time_limit(double seconds) {
  simt::set_launch_time_limit(seconds);
}

void guard(void*, std::uint32_t* data, const detail::ArrayState& array) {
  simt::restrict_allocation(data, array.count * sizeof(std::uint32_t));
  if (array.role == Role::input) simt::mark_input(data);
  std::vector<std::string> axes;
  std::vector<long> extents;
  for (const Axis& axis : array.axes) {
    axes.push_back(axis.name);
    extents.push_back(axis.extent);
  }
  simt::name_allocation(data, array.name, std::move(axes), std::move(extents));
}

void unguard(void* allocation, std::size_t bytes) {
  simt::restrict_allocation(allocation, bytes);
}

void poison(std::uint32_t* data, std::size_t words, std::uint32_t word) {
  current.poison = word;
  simt::set_schedule(current);
  simt::mark_unwritten(data, words * sizeof(std::uint32_t));
}

bool sample_blocks(std::size_t full_threads, std::uint64_t seed, double full_seconds) {
  simt::set_sampling({.full_threads = full_threads,
                      .random_blocks = 6,
                      .seed = seed,
                      .full_seconds = full_seconds});
  return true;
}

int launches() {
  return simt::launches_since_sampling();
}

bool launch_was_cut() {
  return simt::launch_was_cut();
}

struct LessonScope::State {
  simt::LessonScope scope;
  explicit State(cudaStream_t stream) : scope(stream) {}
};

LessonScope::LessonScope(cudaStream_t stream) : state_(std::make_unique<State>(stream)) {}
LessonScope::~LessonScope() = default;

void begin_counting(const std::string& traced) {
  tracing = !traced.empty();
  if (tracing) simt::start_trace({}, traced);
  simt::take_counts();
  simt::take_host_counts();
  simt::set_profiling(true);
}

CallCounts end_counting() {
  simt::set_profiling(false);
  CallCounts call;
  call.total.available = call.total.exact = true;
  add(call.total.values, simt::LaunchCounts{});  // every number is there, launches or none
  for (const simt::LaunchCounts& launch : simt::take_counts()) {
    auto known = std::ranges::find(call.kernels, launch.kernel, &CallCounts::Kernel::name);
    if (known == call.kernels.end()) {
      known = call.kernels.insert(call.kernels.end(), {launch.kernel, {}});
      known->counts.available = known->counts.exact = true;
    }
    for (Counts* counts : {&known->counts, &call.total}) {
      counts->exact = counts->exact && launch.exact;
      add(counts->values, launch);
      add(counts->values, "launches", 1);
    }
  }
  add(call.total.values, "host_waits", simt::take_host_counts().waits);
  for (CallCounts::Kernel& each : call.kernels) derive(each.counts.values);
  derive(call.total.values);
  if (tracing) call.trace = trace_json(simt::take_trace());
  return call;
}

std::vector<Diagnostic> take_diagnostics() {
  std::vector<Diagnostic> result;
  for (const simt::Diagnostic& from : simt::take_diagnostics()) {
    Diagnostic to;
    to.kind = simt::kind_name(from.kind);
    to.error = from.severity == simt::Severity::error;
    to.message = from.message;
    to.kernel = from.kernel;
    to.file = from.where.file;
    to.line = from.where.line;
    to.other_file = from.other.file;
    to.other_line = from.other.line;
    to.block = indices(from.block);
    to.thread = indices(from.thread);
    to.count = from.count;
    to.array = from.array;
    to.reach = static_cast<Diagnostic::Reach>(from.reach);
    to.shared_memory = from.shared_memory;
    to.own_memory = from.own_memory;
    to.divergence = static_cast<Diagnostic::Divergence>(from.divergence);
    result.push_back(std::move(to));
  }
  return result;
}

bool reset() {
  simt::reset_device();
  return true;
}

}  // namespace testing::backend
