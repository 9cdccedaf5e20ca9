#include "simt/inspect.h"

#include <utility>

#include "api_state.h"
#include "arena.h"
#include "diagnostics.h"
#include "heap.h"
#include "input_writes.h"
#include "launch_settings.h"
#include "watchdog.h"

namespace simt {

void set_schedule(const Schedule& schedule) {
  launch_settings().schedule = schedule;
  set_poison(schedule.poison);
}

void set_sampling(const Sampling& sampling) {
  LaunchSettings& settings = launch_settings();
  // A count of blocks that are done, in a variable of the device, is half way where some did not
  // run: whole grids must not begin with that.
  if (settings.was_cut || settings.left_blocks_out) heap::restore_variables(settings.variables);
  settings.sampling = sampling;
  settings.was_cut = settings.left_blocks_out = false;
  settings.launches = 0;
  settings.variables.clear();
  if (sampling.full_threads != 0) settings.variables = heap::variable_values();
}

int launches_since_sampling() {
  return launch_settings().launches;
}

bool launch_was_cut() {
  return launch_settings().was_cut;
}

void set_launch_time_limit(double seconds) {
  watchdog::set_limit(seconds);
}

void name_allocation(const void* pointer, std::string name, std::vector<std::string> axes,
                     std::vector<long> extents) {
  Allocation* allocation = heap::find(reinterpret_cast<std::uintptr_t>(pointer));
  if (allocation == nullptr) {
    allocation = heap::find_ending_at(reinterpret_cast<std::uintptr_t>(pointer));
  }
  if (allocation == nullptr || allocation->freed) return;
  allocation->name = std::move(name);
  allocation->axes = std::move(axes);
  allocation->extents = std::move(extents);
}

void restrict_allocation(const void* pointer, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation* allocation = heap::find(begin);
  if (allocation == nullptr) allocation = heap::find_ending_at(begin);
  if (allocation == nullptr || allocation->freed) return;
  const std::uintptr_t end = std::min(begin + bytes, allocation->begin + allocation->bytes);
  // Only what changes is touched: the bytes that leave or enter the valid range.
  const auto set = [&](std::uintptr_t from, std::uintptr_t to, bool addressable) {
    if (from < to) arena::set_addressable(from - hot.base, to - from, addressable);
  };
  set(allocation->valid_begin, std::min(begin, allocation->valid_end), false);
  set(std::max(end, allocation->valid_begin), allocation->valid_end, false);
  set(begin, end, true);
  allocation->valid_begin = begin;
  allocation->valid_end = end;
}

void mark_unwritten(void* pointer, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  if (bytes == 0 || heap::find(begin) == nullptr) return;
  fill_with_poison(pointer, bytes);
  arena::set_initialised(begin - hot.base, bytes, false);
}

void mark_input(const void* pointer) {
  Allocation* allocation = heap::find(reinterpret_cast<std::uintptr_t>(pointer));
  if (allocation != nullptr) allocation->input = true;
}

LessonScope::LessonScope(cudaStream_t stream) {
  input_writes::begin_lesson();
  api::lesson() = {true, stream};
}
LessonScope::~LessonScope() {
  input_writes::end_lesson();
  api::lesson() = {};
}

std::vector<Diagnostic> take_diagnostics() {
  diagnostics::note_harness();
  return diagnostics::take();
}

std::size_t live_allocations() {
  return heap::live_count();
}

void reset_device() {
  cudaDeviceReset();
}

}  // namespace simt
