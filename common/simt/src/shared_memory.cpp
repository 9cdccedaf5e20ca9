#include "shared_memory.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena.h"
#include "device_code.h"
#include "heap.h"
#include "model_device.h"
#include "reports.h"
#include "scheduler.h"

namespace simt {
namespace shared_memory {
namespace {

// Each slot has 16 MiB of address space: static variables from its start, dynamic memory in the
// middle.
constexpr std::size_t slot_stride = std::size_t{16} << 20;
constexpr std::size_t static_start = std::size_t{1} << 20;
constexpr std::size_t dynamic_start = std::size_t{8} << 20;
// Far enough apart that small overruns hit nothing; not a multiple of the page, so that arrays do
// not share the same cache sets.
constexpr std::size_t gap = (std::size_t{64} << 10) + 1152;
constexpr std::size_t alignment = 128;

struct Layout {
  unsigned long long launch = 0;
  std::vector<Variable> variables;  // offsets relative to the slot
  std::size_t next = static_start;
  std::size_t static_bytes = 0;
  std::size_t dynamic_bytes = 0;
  unsigned slots = 0;
  Variable none_given;  // the kernel's dynamic array where the launch gave no bytes; or no name
  std::unordered_map<const void*, std::size_t> static_bytes_of;
};
Layout layout;

std::uintptr_t slot_base(unsigned slot) {
  return arena::shared_begin() + slot * slot_stride;
}

void open(const Variable& variable, unsigned slot) {
  arena::forget(slot_base(slot) + variable.begin, variable.bytes);
  arena::set_addressable(slot_base(slot) + variable.begin, variable.bytes, true);
  arena::set_initialised(slot_base(slot) + variable.begin, variable.bytes, true);
}

void poison(const Variable& variable, unsigned slot) {
  fill_with_poison(reinterpret_cast<void*>(arena::address(slot_base(slot) + variable.begin)),
                   variable.bytes);
}

void add(Variable variable) {
  for (unsigned slot = 0; slot < layout.slots; ++slot) {
    open(variable, slot);
    poison(variable, slot);
  }
  layout.variables.push_back(std::move(variable));
}

}  // namespace

void begin_launch(const Launch& launch) {
  layout.launch = launch.id;
  layout.variables.clear();
  layout.next = static_start;
  layout.static_bytes = 0;
  layout.slots = 0;
  layout.dynamic_bytes = launch.config.shared_bytes;
  layout.none_given = {};
  if (layout.dynamic_bytes > 0) {
    add({"dynamic shared memory", dynamic_start, layout.dynamic_bytes, {}, true});
  }
}

void begin_slot(const Block& block) {
  layout.slots = std::max(layout.slots, block.slot + 1);
  for (const Variable& variable : layout.variables) open(variable, block.slot);
}

void begin_block(const Block& block) {
  for (const Variable& variable : layout.variables) poison(variable, block.slot);
}

void end_launch() {
  for (unsigned slot = 0; slot < layout.slots; ++slot) {
    for (const Variable& variable : layout.variables) {
      arena::forget(slot_base(slot) + variable.begin, variable.bytes);
    }
  }
  if (current_launch->site.entry != nullptr) {
    layout.static_bytes_of[current_launch->site.entry] = layout.static_bytes;
  }
}

std::size_t static_bytes(const void* entry) {
  auto found = layout.static_bytes_of.find(entry);
  return found == layout.static_bytes_of.end() ? 0 : found->second;
}

const Variable* nearest(std::uintptr_t offset) {
  const std::uintptr_t base =
      slot_base(static_cast<unsigned>((offset - arena::shared_begin()) / slot_stride));
  const std::uintptr_t inside = offset - base;
  static Variable placed;
  if (!layout.none_given.name.empty() && inside >= dynamic_start - gap) {
    placed = layout.none_given;
    placed.begin += base;
    return &placed;
  }
  const Variable* best = nullptr;
  std::uintptr_t best_distance = 0;
  for (const Variable& variable : layout.variables) {
    const std::uintptr_t distance = inside < variable.begin ? variable.begin - inside
                                    : inside >= variable.begin + variable.bytes
                                        ? inside - (variable.begin + variable.bytes)
                                        : 0;
    if (best == nullptr || distance < best_distance) {
      best = &variable;
      best_distance = distance;
    }
  }
  if (best == nullptr) return nullptr;
  placed = *best;
  placed.begin += base;
  return &placed;
}

std::size_t dynamic_bytes() {
  return layout.dynamic_bytes;
}

}  // namespace shared_memory

namespace detail {

void* shared_address(SharedSite& site) noexcept {
  using namespace shared_memory;
  Thread& thread = running_thread("__shared__");
  if (site.launch != layout.launch) {
    layout.static_bytes = (layout.static_bytes + 15) / 16 * 16 + site.bytes;
    const cudaDeviceProp& device = model_device();
    if (layout.static_bytes > device.sharedMemPerBlock) {
      reports::too_much_static_shared(site.name, layout.static_bytes, SIMT_CALLER);
      scheduler::stop_launch();
    }
    const std::size_t limit = std::max<std::size_t>(
        device.sharedMemPerBlock, static_cast<std::size_t>(current_launch->shared_limit));
    current_launch->refusal = refuse_shared(layout.dynamic_bytes, layout.static_bytes, limit);
    if (current_launch->refusal.error != cudaSuccess) {
      current_launch->error = current_launch->refusal.error;
      scheduler::stop_launch();
    }
    site.launch = layout.launch;
    site.address_offset = layout.next;
    add({site.name, layout.next, site.bytes, site.shape, false});
    layout.next = (layout.next + site.bytes + gap + alignment - 1) / alignment * alignment;
  }
  return reinterpret_cast<void*>(
      arena::address(slot_base(thread.block->slot) + site.address_offset));
}

void* dynamic_shared_address(const char* name, int, std::size_t element_bytes) noexcept {
  using namespace shared_memory;
  Thread& thread = running_thread("extern __shared__");
  if (!layout.variables.empty() && layout.variables.front().dynamic) {
    Variable& variable = layout.variables.front();
    if (variable.shape.element_bytes == 0) {
      variable.name = name;
      variable.shape.element_bytes = element_bytes;
    }
  } else if (layout.none_given.name.empty()) {
    layout.none_given = {name, dynamic_start, 0, {}, true};
    layout.none_given.shape.element_bytes = element_bytes;
  }
  return reinterpret_cast<void*>(arena::address(slot_base(thread.block->slot) + dynamic_start));
}

}  // namespace detail
}  // namespace simt
