// Writes down what a profile run does, for a picture: a second consumer of what profile.cpp counts.
// Every function may be called while no trace is wanted, and then does nothing; none is called from
// the checks' fast path.
#pragma once

#include <array>
#include <cstdint>

#include "access.h"
#include "device.h"
#include "launch.h"
#include "report_entry.h"
#include "simt/trace.h"

namespace simt::trace {

// Does the launch that runs get traced? False outside profile runs.
extern bool active __attribute__((visibility("hidden")));

void begin_launch(const Launch& launch);
// Once all that the checks find in the launch is known, while its reports live.
void end_launch();

struct Request {
  AccessType type;
  bool shared;
  std::uintptr_t pc;
  std::uint32_t lanes;
  std::uint32_t bytes;                       // of each lane
  std::array<std::uintptr_t, 32> addresses;  // by lane
};
// One request of one warp, before its lanes make it, and what it costs.
void request(const Block& block, unsigned warp, const Request& request, const Traffic& cost);
// All threads that live have arrived.
void barrier(const Block& block);
void grid_barrier(const Block& block);
void warp_operation(const Warp& warp, std::uint32_t lanes, WarpOp op);

// ---- What the checks find ----
// `entry`: the report that the race became part of. It lives as long as the launch.
void race(const Thread& thread, const Access& access, std::uintptr_t address, Record earlier,
          AccessType earlier_type, const reports::Entry& entry);
void fault(DiagnosticKind kind, Severity severity, std::size_t block, unsigned thread,
           const Access& access, std::uintptr_t address);

}  // namespace simt::trace
