// A launch from its configuration to its reports.
#include "launch.h"

#include <algorithm>

#include "api_state.h"
#include "arena.h"
#include "detector.h"
#include "device_code.h"
#include "graphs.h"
#include "heap.h"
#include "input_writes.h"
#include "kernels.h"
#include "launch_limits.h"
#include "launch_settings.h"
#include "model_device.h"
#include "order.h"
#include "profile.h"
#include "reports.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "watchdog.h"

namespace simt {
namespace {

LaunchSettings settings;
std::vector<std::size_t> executed;
unsigned long long launch_count = 0;

cudaError_t refuse(const Launch& launch, const Refusal& refusal) {
  const detail::LaunchSite& site = launch.site;
  reports::host(DiagnosticKind::launch_error,
                site.line != 0 ? api::Place(site.file, site.line) : api::Place(launch.call_site),
                std::string("launch error: kernel ") + site.kernel + ": " + refusal.reason +
                    "\n    The kernel did not run. " + refusal.advice,
                site.kernel);
  return api::record(refusal.error);
}

// The blocks that a sampled launch runs: the first, the last and some others.
std::vector<std::size_t> sample(std::size_t blocks, const Sampling& sampling,
                                const Schedule& schedule) {
  std::vector<std::size_t> chosen = {0, blocks - 1};
  std::uint64_t state = sampling.seed + 0x9e3779b97f4a7c15;
  for (int i = 0; i < sampling.random_blocks; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    chosen.push_back(static_cast<std::size_t>(state % blocks));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  executed = chosen;
  if (schedule.order != Order::forward) std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

void finish(const Launch& launch) {
  if (launch.error == cudaSuccess && !launch.faulted) return;
  if (launch.faulted || launch.error == cudaErrorLaunchTimeout) {
    api::set_sticky(launch.error == cudaSuccess ? cudaErrorIllegalAddress : launch.error);
  } else if (launch.refusal.error != cudaSuccess) {
    refuse(launch, launch.refusal);
  } else {
    api::record(launch.error);
  }
}

}  // namespace

LaunchSettings& launch_settings() {
  return settings;
}

const std::vector<std::size_t>& executed_blocks() {
  return executed;
}

cudaError_t start_launch(Launch& launch) {
  if (hot.thread != nullptr) {
    api::record(cudaErrorNotSupported);
    return cudaErrorNotSupported;
  }
  executed.clear();
  if (const cudaError_t error = api::begin()) return error;
  api::check_stream(launch.site.kernel, launch.config.stream,
                    launch.site.line != 0 ? api::Place(launch.site.file, launch.site.line)
                                          : api::Place(launch.call_site));
  if (const Refusal refusal = refuse_configuration(launch.config, launch.site.entry);
      refusal.error != cudaSuccess) {
    return refuse(launch, refusal);
  }
  if (const cudaError_t error = graphs::refuse_on_legacy_stream(launch.config.stream)) return error;
  if (graphs::is_capturing(launch.config.stream)) {
    graphs::add(launch.config.stream, graphs::keep(launch));
    return cudaSuccess;
  }
  profile::host_launched();
  arena::initialise();
  const Config& config = launch.config;
  launch.id = ++launch_count;
  ++settings.launches;
  launch.total_blocks = std::size_t{config.grid.x} * config.grid.y * config.grid.z;
  launch.threads_per_block = config.block.x * config.block.y * config.block.z;
  launch.module = module_of(reinterpret_cast<std::uintptr_t>(launch.invoke));
  if (const kernels::Kernel* kernel = kernels::find(launch.site.entry)) {
    launch.shared_limit = kernel->dynamic_shared_limit;
  }
  if (launch.cooperative) {
    const int each = resident_blocks_per_multiprocessor(
        static_cast<int>(launch.threads_per_block),
        config.shared_bytes + shared_memory::static_bytes(launch.site.entry));
    const Refusal refusal = refuse_cooperation(
        launch.total_blocks, static_cast<std::size_t>(each) *
                                 static_cast<std::size_t>(model_device().multiProcessorCount));
    if (refusal.error != cudaSuccess) return refuse(launch, refusal);
  }
  const Sampling& sampling = settings.sampling;
  if (sampling.full_threads != 0 &&
      launch.total_blocks * launch.threads_per_block > sampling.full_threads) {
    launch.chosen = sample(launch.total_blocks, sampling, settings.schedule);
    settings.left_blocks_out = true;
  } else {
    if (sampling.full_threads != 0) launch.seconds_before_cut = sampling.full_seconds;
    executed.resize(launch.total_blocks);
    for (std::size_t i = 0; i < executed.size(); ++i) executed[i] = i;
  }

  current_launch = &launch;
  drives_kernel = true;
  hot.pc_base = launch.module.text_begin;
  order::begin_launch();
  input_writes::begin_launch(launch);
  hot.launch_first = group_record(order::next_group());
  reports::begin_launch();
  detector::begin_launch();
  shared_memory::begin_launch(launch);
  profile::begin_launch(launch);
  watchdog::begin_launch(launch.seconds_before_cut);
  scheduler::run(launch, profile::on() ? Schedule{} : settings.schedule);
  watchdog::end_launch();
  profile::end_launch();
  reports::end_launch();
  shared_memory::end_launch();
  finish(launch);
  current_launch = nullptr;
  drives_kernel = false;
  hot.launch_first = group_record(order::next_group());
  return cudaSuccess;
}

void launch_bounds(int max_threads, int, int) noexcept {
  running_thread("__launch_bounds__");
  Launch& launch = *current_launch;
  launch.refusal = refuse_block(launch.threads_per_block, max_threads);
  if (launch.refusal.error == cudaSuccess) return;
  launch.error = launch.refusal.error;
  scheduler::stop_launch();
}

namespace detail {

void run_launch(const LaunchSite& site, const Config& config, void (*invoke)(void*), void* closure,
                size_t closure_bytes) {
  Launch launch;
  launch.site = site;
  launch.config = config;
  launch.invoke = invoke;
  launch.closure = closure;
  launch.closure_bytes = closure_bytes;
  launch.call_site = SIMT_API_CALLER;
  start_launch(launch);
}

}  // namespace detail
}  // namespace simt
