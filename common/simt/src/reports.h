// What the checks found in the launch that runs. Findings are counted as they come, by instruction
// and kind; when the launch ends they become diagnostics, with names, lines and a sentence on the
// cause.
#pragma once

#include <string>
#include <vector>

#include "access.h"
#include "api_state.h"
#include "device.h"
#include "heap.h"
#include "record.h"
#include "simt/inspect.h"

namespace simt::reports {

struct Entry;

void begin_launch();
void end_launch();
// The block's shared memory is about to be used by another block.
void end_block(const Block& block);

// ---- Memory ----
struct Race {
  const Access& access;
  std::uintptr_t address;  // of the word that raced
  const Thread& thread;
  Record earlier;
  AccessType earlier_type;
  bool shared_memory = false;
  bool shuffle_between = false;
  bool earlier_atomic = false;
  bool scope_too_small = false;
};
Entry& race(const Race& race);
// The store of this race changed the value, or the race is not between two stores.
void not_equal_values(Entry& entry);

// `offset`: of the cell, to see later whether the word raced.
void uninitialised_read(const Access& access, std::uintptr_t address, std::uintptr_t offset,
                        const Thread& thread);
// A read of what an asynchronous copy is still to write.
void unfinished_copy(const Access& access, std::uintptr_t address, const Thread& thread,
                     const AsyncCopy& copy);
void bad_access(DiagnosticKind kind, const Access& access, const Thread& thread);
// An index outside the type of a local or shared array: `type` as the compiler names it.
void bad_index(const Thread& thread, std::uintptr_t pc, const std::string& type, long index);
void host_access(const Access& access, const Allocation& allocation);

// ---- Synchronisation ----
void threads_missed_barrier(const Block& block);
void different_barriers(const Block& block);
// Lanes of `mask` that never arrive at the warp operation which `arrived` wait at.
void missing_lanes(const Warp& warp, std::uint32_t mask, std::uint32_t arrived);
void lane_not_in_mask(const Thread& thread);
// A shuffle read a lane that takes no part.
void absent_source_lane(const Thread& thread, unsigned source);
void deadlock(const std::vector<Block*>& blocks, std::size_t blocks_not_begun);

// A grid barrier in a launch that is not cooperative.
void grid_sync_without_cooperation(const Thread& thread, std::uintptr_t pc);

// ---- Ends of kernels ----
void device_assert(const Thread& thread, std::uintptr_t pc, const std::string& text);
// A note: arithmetic whose result C++ leaves open.
void undefined_arithmetic(const Thread& thread, std::uintptr_t pc, const std::string& text);
void endless_loop(const Thread& thread, std::uintptr_t pc, double seconds);
void stack_overflow(const Thread& thread, std::uintptr_t pc);
void too_much_static_shared(const char* name, std::size_t bytes, std::uintptr_t pc);

// ---- Host code ----
void host(DiagnosticKind kind, const api::Place& place, std::string message,
          std::string kernel = {}, std::string array = {});

}  // namespace simt::reports
